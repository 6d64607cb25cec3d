/** The agent card: who this node is and where it is reached. */
import type { Context } from 'koa';
import { AgentCard, buildAgentCard, CARD_PATH } from '../../../protocol/wire/agentCard.ts';
import { readJsonAsset } from '../../assets/assets.ts';
import type { Gate } from '../shell/gate.ts';
import { answerFixed, type FixedText, fixedText } from './fixedText.ts';
import type { OpenRoute } from './openRoute.ts';
import { everyOrigin } from './respond.ts';

/** The file that says what a node offers. */
export const CARD_TEMPLATE = 'agent-card.json';

const FRESH_SECONDS = 300;

export function cardRoute({ settings }: Pick<Gate, 'settings'>): OpenRoute {
  const card = buildAgentCard(readJsonAsset(CARD_TEMPLATE), settings);
  const text = fixedText(JSON.stringify(card));
  return {
    method: 'GET',
    path: CARD_PATH,
    name: 'agentCard',
    summary: 'Shows the agent card: who this node is and where it is reached.',
    answers: {
      200: { description: 'The card.', schema: AgentCard, example: card },
      304: { description: 'Unchanged since the entity tag that was sent.' },
    },
    errors: [500],
    answer(context) {
      everyOrigin(context);
      answerCard(context, text, settings.startedAt);
    },
  };
}

/** @param madeAt milliseconds since the epoch */
export function answerCard(context: Context, text: FixedText, madeAt: number): void {
  context.set('Last-Modified', new Date(madeAt).toUTCString());
  answerFixed(context, text, 'application/json; charset=utf-8');
  context.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`);
}
