/** Lists what was judged, refused too, in the order of the chain, against it or by amount. The evidence chain is the only record of it. */

import { z } from 'zod';
import {
  APPROVAL_MEMBER,
  DECISION_EVENTS,
  Decision,
  decisionOf,
  ListDecisions,
  PAYMENT_MEMBER,
} from '../../../protocol/decision.ts';
import type { EvidenceType } from '../../../protocol/evidence/eventTypes.ts';
import { sumText, toMinor } from '../../../protocol/money.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { amountsOf } from '../../domain/purchases/purchaseFacts.ts';
import { type AmountPosition, listByAmount } from '../../store/statements/evidence/byAmount.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import { type FoundAmong, findAmong, type Texts } from '../../store/statements/evidence/search.ts';
import { isAmong } from '../../store/statements/queries.ts';
import type { Script } from '../../store/store.ts';
import { csvOfPages } from '../../usecase/list/listing.ts';
import { cursorOf, positionOf, showRows, toPage } from '../../usecase/list/paging.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/**
 * So many decisions of an agent, or of all, are looked through for a page: what they say of the merchant, of the amount and of
 * their reasons has no index. A page on which fewer are found leads on from there.
 */
const MOST_LOOKED_THROUGH = 2000;
/** So many where amounts are asked for: each decision is read out of the store, and its amount compared here. */
const MOST_READ = 1000;
const Position = z.int();
const Place = z.object({ amount: z.number(), seq: z.int() });

export const listDecisions = useCase({
  summary:
    'Lists every intent and cart that was judged, refused ones too, newest first, or as `sort` says. A page may be short of its limit, or empty, and have a cursor.',
  input: ListDecisions,
  output: pageOf(Decision),
  permission: 'read',
  showsOwn: true,
  csv: csvOfPages<Decision>({
    fileName: 'decisions.csv',
    columns: {
      createdAt: ({ createdAt }) => createdAt,
      kind: ({ kind }) => kind,
      outcome: ({ outcome }) => outcome,
      merchant: ({ merchant }) => merchant,
      amount: ({ amount, currency }) => sumText(BigInt(toMinor(amount, currency)), currency),
      currency: ({ currency }) => currency,
      reasonCodes: ({ reasonCodes }) => reasonCodes.join(' '),
      reasons: ({ details }) =>
        Object.values(details)
          .map(({ message }) => message)
          .join(' '),
      agentDid: ({ agentDid }) => agentDid,
      principalDid: ({ principalDid }) => principalDid,
      intentId: ({ intentId }) => intentId,
      transactionId: ({ transactionId }) => transactionId,
      seq: ({ seq }) => seq,
    },
  }),
  run: inOneRead<ListDecisions, Page<Decision>>(function* (_deps, caller, input) {
    if (input.sort === 'largest' || input.sort === 'smallest') return yield* listSorted(caller, input);
    const after = positionOf(Position, input.cursor);
    const found: FoundAmong[] = [];
    for (const agentDid of agentsOf(caller, input)) {
      found.push(yield* look(caller, input, agentDid, after));
    }
    return pageFrom(found, input);
  }, 'readApart'),
});

/** A page by amount, of one currency. @throws Fault as agentsOf and amountsOf */
function* listSorted(caller: Caller, input: ListDecisions): Script<Page<Decision>> {
  const { currency = '', min, max, from, to, outcome, limit, sort } = input;
  // A range of decimals that the currency does not have is refused, as in the other orders.
  amountsOf(input);
  const agents = agentsOf(caller, input);
  const { found, upTo } = yield* listByAmount(
    caller.tenantId,
    currency,
    { eventTypes: eventTypesOf(outcome), from, to },
    agents.includes(undefined) ? undefined : new Set(agents),
    textsOf(input, outcome),
    {
      isAscending: sort === 'smallest',
      after: positionOf(Place, input.cursor),
      least: min,
      most: max,
      looks: MOST_READ,
      wanted: limit + 1,
    },
  );
  const placeOf = new Map<EvidenceRow, AmountPosition>(found.map(({ row, place }) => [row, place]));
  const rows = found.map(({ row }) => row);
  return toPage(
    rows,
    limit,
    (row) => decisionOf(showEvent(row)),
    (row) => placeOf.get(row),
    upTo,
  );
}

/** @throws Fault FORBIDDEN for an agent that the caller does not act for */
function agentsOf(caller: Caller, { agentDid }: ListDecisions): (string | undefined)[] {
  if (agentDid !== undefined) requireActsFor(caller, agentDid);
  return agentDid === undefined && caller.agents !== undefined ? [...caller.agents] : [agentDid];
}

function look(
  { tenantId }: Caller,
  { outcome, from, to, ...input }: ListDecisions,
  agentDid: string | undefined,
  after: number | undefined,
): Script<FoundAmong> {
  const eventTypes = eventTypesOf(outcome);
  const fits = fitsAmount(input);
  const most = fits === undefined ? MOST_LOOKED_THROUGH : MOST_READ;
  const order = input.sort === 'oldest' ? ('ASC' as const) : ('DESC' as const);
  const bounds = { order, after, most, wanted: input.limit + 1, fits };
  return findAmong(tenantId, { eventTypes, actorDid: agentDid, from, to }, textsOf(input, outcome), bounds);
}

function eventTypesOf(outcome: ListDecisions['outcome']): readonly EvidenceType[] {
  const { allowed, refused } = DECISION_EVENTS;
  return outcome === undefined ? [...allowed, ...refused] : DECISION_EVENTS[outcome];
}

/** @throws Fault BAD_REQUEST for an amount that its currency does not have */
function fitsAmount(filter: ListDecisions): ((row: EvidenceRow) => boolean) | undefined {
  const amounts = amountsOf(filter);
  if (amounts === undefined) return undefined;
  return (row) => {
    const decision = readable(row);
    // One that is damaged stays in the list, which names it.
    if (decision === undefined) return true;
    const { amount, currency } = decision;
    // What is in another currency may have decimals that this one has not.
    return (amounts.currency ?? currency) === currency && isAmong(amounts, currency, toMinor(amount, currency));
  };
}

function readable(row: EvidenceRow): Decision | undefined {
  try {
    return decisionOf(showEvent(row));
  } catch {
    return undefined;
  }
}

function textsOf(
  { merchant, reasonCode, currency }: Pick<ListDecisions, 'merchant' | 'reasonCode' | 'currency'>,
  outcome: ListDecisions['outcome'],
): Texts {
  const quoted = JSON.stringify(merchant);
  return [
    ...(merchant === undefined ? [] : [[`"merchant":${quoted}`, `"merchantDomain":${quoted}`]]),
    ...(currency === undefined ? [] : [[`"currency":${JSON.stringify(currency)}`]]),
    // The details of a refusal have a member for each of its reasons.
    ...(reasonCode === undefined ? [] : [[`"${reasonCode}":{`]]),
    ...(outcome === 'approval' ? [[APPROVAL_MEMBER], [{ not: PAYMENT_MEMBER }]] : []),
    ...(outcome === 'refused' ? [[{ not: APPROVAL_MEMBER }, PAYMENT_MEMBER]] : []),
  ];
}

/** A page of the first ones, as far as all agents' were looked through. */
function pageFrom(found: readonly FoundAmong[], { limit, sort }: ListDecisions): Page<Decision> {
  // Negative, the newest first: so both orders are one.
  const placeOf = (seq: number) => (sort === 'oldest' ? seq : -seq);
  const end = Math.min(...found.map(({ upTo }) => (upTo === undefined ? Number.POSITIVE_INFINITY : placeOf(upTo))));
  const rows = found
    .flatMap((each) => each.rows)
    .filter(({ seq }) => placeOf(seq) <= end)
    .sort((one, other) => placeOf(one.seq) - placeOf(other.seq));
  const shown = rows.slice(0, limit);
  const hasMore = Number.isFinite(end) || rows.length > limit;
  const next = rows.length > limit ? shown.at(-1)?.seq : Math.abs(end);
  const page = showRows(
    shown,
    (row) => decisionOf(showEvent(row)),
    ({ seq }) => seq,
  );
  return { ...page, hasMore, cursor: hasMore ? cursorOf(next) : null };
}
