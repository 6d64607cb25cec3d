/** The agent cards: who this node is and where it is reached, in the shape of the version of A2A that the caller names. */
import type { Context } from 'koa';
import { z } from 'zod';
import { type A2aVersion, versionOf } from '../../../protocol/a2a/a2aVersion.ts';
import {
  CARD_PATH,
  FormerCard,
  formerCard,
  SharedCard,
  STANDARD_PATH,
  StandardCard,
  sharedCard,
  standardCard,
} from '../../../protocol/a2a/cards.ts';
import { AgentCard, buildAgentCard } from '../../../protocol/wire/agentCard.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { readJsonAsset } from '../../assets/assets.ts';
import type { Gate } from '../shell/gate.ts';
import { answerFixed, type FixedText, fixedText } from './fixedText.ts';
import type { OpenRoute } from './openRoute.ts';
import { everyOrigin } from './respond.ts';

/** The file that says what a node offers. */
export const CARD_TEMPLATE = 'agent-card.json';

const VERSION = 'A2A-Version';
const VERSION_MEANING = 'The version of A2A whose card is wanted: 1.0 (and any 1.x) or 0.3.';
const FRESH_SECONDS = 300;

export function cardRoutes({ settings }: Gate): readonly OpenRoute[] {
  const template = readJsonAsset(CARD_TEMPLATE);
  const own = buildAgentCard(template, settings);
  const former = formerCard(template, settings);
  const standard: StandardCard = { ...standardCard(template, settings), signatures: [settings.cardSignature] };
  const named: Cards = { '1.0': standard, '0.3': former };
  const lastModified = new Date(settings.startedAt).toUTCString();
  return [
    cardRoute({ ...named, '': own }, lastModified, {
      path: CARD_PATH,
      name: 'agentCard',
      summary: 'Shows the agent card: who this node is and where it is reached.',
      errors: [400, 500],
    }),
    cardRoute({ ...named, '': sharedCard(standard, former) }, lastModified, {
      path: STANDARD_PATH + CARD_PATH,
      name: 'standardAgentCard',
      summary:
        'Shows the agent card; to who names no version the signed one of A2A v1.0, with the members of v0.3 beside it.',
      errors: [400, 429, 500],
    }),
  ];
}

type Cards = Readonly<Record<A2aVersion, StandardCard | FormerCard>>;

/** @param cards that without a name is for who names no version */
function cardRoute(
  cards: Cards & { readonly '': AgentCard | SharedCard },
  lastModified: string,
  row: Pick<OpenRoute, 'path' | 'name' | 'summary' | 'errors'>,
): OpenRoute {
  const texts = new Map(Object.entries(cards).map(([version, card]) => [version, fixedText(JSON.stringify(card))]));
  return {
    method: 'GET',
    ...row,
    query: { [VERSION]: `${VERSION_MEANING} The header of that name comes before it.` },
    headers: { [VERSION]: VERSION_MEANING },
    answers: {
      200: {
        description: 'The card.',
        schema: z.union([AgentCard, SharedCard, StandardCard, FormerCard]),
        example: cards[''],
      },
      304: { description: 'Unchanged since the entity tag that was sent.' },
    },
    answer(context) {
      everyOrigin(context);
      context.vary(VERSION);
      const text = texts.get(wantedBy(context)) as FixedText;
      context.set('Last-Modified', lastModified);
      answerFixed(context, text, 'application/json; charset=utf-8');
      context.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`);
    },
  };
}

/** @throws Fault BAD_REQUEST for a version that there is no card of */
function wantedBy(context: Context): A2aVersion | '' {
  const named = context.get(VERSION) || [context.query[VERSION] ?? ''].flat().join(', ');
  if (named === '') return '';
  const version = versionOf(named);
  if (version !== undefined) return version;
  throw new Fault('BAD_REQUEST', `${VERSION} names none of the versions that this node speaks: 1.0 and 0.3.`);
}
