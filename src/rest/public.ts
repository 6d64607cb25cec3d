/** What anybody may see: the agent card, and whether the node lives and is ready. */
import type { Context } from 'koa';
import type { AgentCard } from '../../protocol/card.ts';
import type { Deps } from '../handlers/deps.ts';
import { findSetting } from '../store/statements/settings.ts';
import { tagged } from './hygiene.ts';
import { exposeMetrics } from './metrics.ts';

export interface PublicFacts {
  readonly card: AgentCard;
  /** False from the moment the node was asked to stop. */
  isServing(): boolean;
}

type Answer = (context: Context) => void | Promise<void>;

export function publicRoutes(deps: Deps, facts: PublicFacts): readonly (readonly [string, Answer])[] {
  const card = JSON.stringify(facts.card);
  const now = () => new Date(deps.clock()).toISOString();
  return [
    [
      '/.well-known/agent-card.json',
      (context) => {
        if (!tagged(context, card)) context.body = facts.card;
      },
    ],
    [
      '/healthz',
      (context) => {
        context.body = { status: 'ok', timestamp: now() };
      },
    ],
    [
      '/readyz',
      async (context) => {
        const ready = facts.isServing() && (await canRead(deps));
        context.status = ready ? 200 : 503;
        context.body = { status: ready ? 'ready' : 'unavailable', timestamp: now() };
      },
    ],
    ['/metrics', exposeMetrics(deps)],
  ];
}

async function canRead(deps: Deps): Promise<boolean> {
  try {
    await deps.store.read(() => findSetting('issuer_did'));
    return true;
  } catch {
    return false;
  }
}
