/** Public routes: the agent card, liveness, readiness and metrics. */
import { z } from 'zod';
import { AgentCard } from '../../protocol/wire/agentCard.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import { exposeMetrics } from './metricsRoute.ts';
import type { OpenRoute } from './openRoute.ts';
import { tagged } from './securityHeaders.ts';

export interface PublicFacts {
  readonly card: AgentCard;
  /** False from the moment the node was asked to stop. */
  isServing(): boolean;
}

/** A moment for the examples of the documents. */
const AT = '2026-07-01T09:00:00.000Z';

const Health = z.object({
  status: z.enum(['ok', 'ready', 'unavailable']),
  timestamp: z.string(),
  warnings: z.array(z.string()).optional().describe('What the owner should look at, though requests are served.'),
});

const REFUSED =
  'The evidence does not extend the checkpoint that this node signed last, so no checkpoint is signed; see countersign doctor.';

export function publicRoutes(deps: Deps, facts: PublicFacts): readonly OpenRoute[] {
  const card = JSON.stringify(facts.card);
  const now = () => new Date(deps.clock()).toISOString();
  return [
    {
      method: 'GET',
      path: '/.well-known/agent-card.json',
      name: 'agentCard',
      summary: 'Shows the agent card: who this node is and where its gateway is.',
      answers: {
        200: { description: 'The card.', schema: AgentCard, example: facts.card },
        304: { description: 'Unchanged since the entity tag that was sent.' },
      },
      answer(context) {
        if (!tagged(context, card)) context.body = facts.card;
      },
    },
    {
      method: 'GET',
      path: '/healthz',
      name: 'health',
      summary: 'Reports that the process is alive.',
      answers: {
        200: { description: 'The process is alive.', schema: Health, example: { status: 'ok', timestamp: AT } },
      },
      answer(context) {
        context.body = { status: 'ok', timestamp: now() };
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      name: 'readiness',
      summary: 'Reports whether the node is ready for requests.',
      answers: {
        200: { description: 'The node is ready.', schema: Health, example: { status: 'ready', timestamp: AT } },
        503: {
          description: 'Its store cannot be read, or it is stopping.',
          schema: Health,
          example: { status: 'unavailable', timestamp: AT },
        },
      },
      async answer(context) {
        const ready = facts.isServing() && (await canRead(deps));
        context.status = ready ? 200 : 503;
        context.body = { status: ready ? 'ready' : 'unavailable', timestamp: now(), ...warningsOf(deps) };
      },
    },
    metricsRoute(deps),
  ];
}

function metricsRoute(deps: Deps): OpenRoute {
  return {
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'Shows the node’s metrics in the Prometheus format.',
    localOrAdmin: true,
    vouched: true,
    answers: { 200: { description: 'The metrics.', media: 'text/plain' } },
    errors: [401, 403, 429, 500],
    answer: exposeMetrics(deps),
  };
}

function warningsOf(deps: Deps): { readonly warnings?: readonly string[] } {
  const { damage } = deps.storeFile;
  const warnings = [
    ...(deps.checkpoints.faults.size === 0 ? [] : [REFUSED]),
    ...(damage === undefined
      ? []
      : [`The database is damaged: ${damage} Stop the node, and restore the newest backup.`]),
  ];
  return warnings.length === 0 ? {} : { warnings };
}

async function canRead(deps: Deps): Promise<boolean> {
  try {
    await deps.store.read(() => findSetting('issuer_did'));
    return true;
  } catch {
    return false;
  }
}
