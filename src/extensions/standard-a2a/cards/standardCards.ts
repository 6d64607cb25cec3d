/** The agent cards in the shape of the version of A2A that the caller names, and the signature of the standard one. */
import type { Context } from 'koa';
import { z } from 'zod';
import { type A2aVersion, versionOf } from '../../../../protocol/a2a/a2aVersion.ts';
import { type CardSignature, signCard } from '../../../../protocol/a2a/cardSignature.ts';
import {
  FormerCard,
  formerCard,
  ReachableCard,
  reachableCard,
  SharedCard,
  STANDARD_PATH,
  StandardCard,
  sharedCard,
  standardCard,
} from '../../../../protocol/a2a/cards.ts';
import { CARD_PATH } from '../../../../protocol/wire/agentCard.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { readJsonAsset } from '../../../assets/assets.ts';
import { answerCard, CARD_TEMPLATE } from '../../../gates/rest/cardRoute.ts';
import { type FixedText, fixedText } from '../../../gates/rest/fixedText.ts';
import { KEY_SET_PATH } from '../../../gates/rest/login/loginRoutes.ts';
import type { OpenRoute } from '../../../gates/rest/openRoute.ts';
import { everyOrigin } from '../../../gates/rest/respond.ts';
import type { NodeFacts } from '../../../gates/shell/gate.ts';
import type { SigningNode } from '../../extension.ts';

const VERSION = 'A2A-Version';
const VERSION_MEANING = 'The version of A2A whose card is wanted: 1.0 (and any 1.x) or 0.3.';

/** Of the card of A2A v1.0, by the node's key. */
export function signStandardCard({ issuer, baseUrl, version }: SigningNode): CardSignature {
  const card = standardCard(readJsonAsset(CARD_TEMPLATE), { baseUrl, did: issuer.did, version });
  return signCard(issuer, card, baseUrl + KEY_SET_PATH);
}

/** @param signature none where the node runs without standard A2A, so that no route is served */
export function standardCardRoutes(facts: NodeFacts, signature: CardSignature | undefined): readonly OpenRoute[] {
  const template = readJsonAsset(CARD_TEMPLATE);
  const former = formerCard(template, facts);
  const signatures = signature === undefined ? [] : [signature];
  const standard: StandardCard = { ...standardCard(template, facts), signatures };
  const named: Cards = { '1.0': standard, '0.3': former };
  return [
    cardRoute({ ...named, '': reachableCard(template, facts) }, facts, {
      path: CARD_PATH,
      name: 'agentCard',
      summary: 'Shows the agent card: who this node is and where it is reached.',
      errors: [400, 500],
    }),
    cardRoute({ ...named, '': sharedCard(standard, former) }, facts, {
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
  cards: Cards & { readonly '': ReachableCard | SharedCard },
  { startedAt }: NodeFacts,
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
        schema: z.union([ReachableCard, SharedCard, StandardCard, FormerCard]),
        example: cards[''],
      },
      304: { description: 'Unchanged since the entity tag that was sent.' },
    },
    answer(context) {
      everyOrigin(context);
      context.vary(VERSION);
      answerCard(context, texts.get(wantedBy(context)) as FixedText, startedAt);
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
