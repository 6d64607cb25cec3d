/** Lists what was judged, refused too, newest first. The evidence chain is the only record of it. */

import { z } from 'zod';
import {
  APPROVAL_MEMBER,
  DECISION_EVENTS,
  Decision,
  decisionOf,
  ListDecisions,
  PAYMENT_MEMBER,
} from '../../../protocol/decision.ts';
import { sumText, toMinor } from '../../../protocol/money.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import { amountsOf } from '../../domain/purchases/purchaseFacts.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import { type FoundAmong, findAmong, type Texts } from '../../store/statements/evidence/search.ts';
import { isAmong } from '../../store/statements/queries.ts';
import type { Script } from '../../store/store.ts';
import { csvOfPages } from '../../usecase/list/listing.ts';
import { cursorOf, positionOf, showRows } from '../../usecase/list/paging.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/**
 * So many decisions of an agent, or of all, are looked through for a page: what they say of the merchant, of the amount and of
 * their reasons has no index. A page on which fewer are found leads on from there.
 */
const MOST_LOOKED_THROUGH = 2000;
/** So many where amounts are asked for: each decision is read out of the store, and its amount compared here. */
const MOST_READ = 1000;
const Position = z.int();

export const listDecisions = useCase({
  summary:
    'Lists every intent and cart that was judged, refused ones too, newest first. A page may be short of its limit, or empty, and have a cursor.',
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
    const before = positionOf(Position, input.cursor);
    const found: FoundAmong[] = [];
    for (const agentDid of agentsOf(caller, input)) {
      found.push(yield* look(caller, input, agentDid, before));
    }
    return pageFrom(found, input.limit);
  }, 'readApart'),
});

/** @throws Fault FORBIDDEN for an agent that the caller does not act for */
function agentsOf(caller: Caller, { agentDid }: ListDecisions): (string | undefined)[] {
  if (agentDid !== undefined) requireActsFor(caller, agentDid);
  return agentDid === undefined && caller.agents !== undefined ? [...caller.agents] : [agentDid];
}

function look(
  { tenantId }: Caller,
  { outcome, from, to, ...input }: ListDecisions,
  agentDid: string | undefined,
  before: number | undefined,
): Script<FoundAmong> {
  const { allowed, refused } = DECISION_EVENTS;
  const eventTypes = outcome === undefined ? [...allowed, ...refused] : DECISION_EVENTS[outcome];
  const fits = fitsAmount(input);
  const most = fits === undefined ? MOST_LOOKED_THROUGH : MOST_READ;
  const bounds = { before, most, wanted: input.limit + 1, fits };
  return findAmong(tenantId, { eventTypes, actorDid: agentDid, from, to }, textsOf(input, outcome), bounds);
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

/** A page of the newest, as far down as all agents' were looked through. */
function pageFrom(found: readonly FoundAmong[], limit: number): Page<Decision> {
  const downTo = Math.max(1, ...found.map((each) => each.downTo));
  const rows = found
    .flatMap((each) => each.rows)
    .filter(({ seq }) => seq >= downTo)
    .sort((one, other) => other.seq - one.seq);
  const shown = rows.slice(0, limit);
  const hasMore = downTo > 1 || rows.length > limit;
  const next = rows.length > limit ? (shown.at(-1)?.seq ?? downTo) : downTo;
  const page = showRows(
    shown,
    (row) => decisionOf(showEvent(row)),
    ({ seq }) => seq,
  );
  return { ...page, hasMore, cursor: hasMore ? cursorOf(next) : null };
}
