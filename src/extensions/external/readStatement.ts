/** An owner's statement of an account is compared with what was reserved: what left it without a reservation is told. */
import { canonical } from '../../../protocol/credential/canonical.ts';
import {
  ExternalStatement,
  requireHappened,
  type StatementLine,
  StatementResult,
} from '../../../protocol/external/reservation.ts';
import { formatAmount, formatMoney } from '../../../protocol/money.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import { captured, flagPayment, TOLD, transition } from '../../domain/payments/recordOutcome.ts';
import { minorAt } from '../../domain/purchases/purchaseFacts.ts';
import {
  type ComparedPayment,
  findStatementLine,
  insertStatementLine,
  listComparedByAmount,
  listComparedByName,
} from '../../store/statements/purchases/externalPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase, writeLogged } from '../../usecase/useCase.ts';
import { recordLate } from './commitReservation.ts';

type LineOutcome = StatementResult['lines'][number];

const DAY_MS = 24 * 3600 * 1000;
/** A card is booked some days after it was charged. */
const MOST_APART_MS = 4 * DAY_MS;
/** A reservation that lasts as long as one can is made so long before it is paid. */
const LONGEST_MS = 7 * DAY_MS;
/** Lines of one commit: other purchases wait no longer for it. */
const LINES_AT_ONCE = 25;

export const readStatement = useCase({
  summary: 'Compares a statement of an account with what was reserved for payments elsewhere.',
  input: ExternalStatement,
  output: StatementResult,
  permission: 'admin',
  run: inSteps(async (deps: Deps, caller, { lines }: ExternalStatement) => {
    // Before anything is recorded: a line that cannot be read makes the whole statement wrong.
    const now = deps.clock();
    for (const [at, { amount, currency, occurredAt }] of lines.entries()) {
      minorAt(`lines.${at}.amount`, amount, currency);
      requireHappened(`lines.${at}.occurredAt`, occurredAt, now);
    }
    const hashed = hashes(deps, lines);
    const outcomes: LineOutcome[] = [];
    for (let first = 0; first < hashed.length; first += LINES_AT_ONCE) {
      const some = hashed.slice(first, first + LINES_AT_ONCE);
      const read = await writeLogged(deps, caller.tenantId, function* (own, now) {
        const told: LineOutcome[] = [];
        for (const line of some) told.push(yield* readLine(own, caller.tenantId, line, now));
        return told;
      });
      outcomes.push(...read);
    }
    return { lines: outcomes };
  }),
});

interface HashedLine {
  readonly line: StatementLine;
  readonly hash: string;
  /** By which earlier versions keep it. */
  readonly formerHash: string;
}

/** Equal lines of one statement are several payments, and the same statement again is none, in whichever form it writes its times. */
function hashes({ suite }: Pick<Deps, 'suite'>, lines: readonly StatementLine[]): HashedLine[] {
  const hashIn = (seen: Map<string, number>, line: StatementLine) => {
    const text = canonical(compact(line));
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return suite.sha256Hex(`statement-line-v1\n${before}\n${text}`);
  };
  const [seen, formerlySeen] = [new Map<string, number>(), new Map<string, number>()];
  return lines.map((line) => ({
    line,
    hash: hashIn(seen, { ...line, occurredAt: isoTime(Date.parse(line.occurredAt)) }),
    formerHash: hashIn(formerlySeen, line),
  }));
}

function* readLine(
  deps: Deps,
  tenantId: string,
  { line, hash, formerHash }: HashedLine,
  now: number,
): Script<LineOutcome> {
  const known = (yield* findStatementLine(tenantId, hash)) ?? (yield* findStatementLine(tenantId, formerHash));
  if (known !== undefined) return compact({ outcome: known.outcome, mandateId: known.mandate_id ?? undefined });
  const amountMinor = minorAt('amount', line.amount, line.currency);
  const met = yield* findMet(tenantId, line, amountMinor);
  const outcome = yield* settle(deps, tenantId, { line, amountMinor, met }, now);
  // What several could be meant by is looked at again with the next statement.
  if (outcome.outcome !== 'ambiguous') {
    const { outcome: kept, mandateId = null } = outcome;
    const row = { tenant_id: tenantId, line_hash: hash, outcome: kept, mandate_id: mandateId, created_at: now };
    yield* insertStatementLine(row);
  }
  return outcome;
}

/** By the reference where the line has one that is known; else by amount and merchant. Those that are open come before the others. */
function* findMet(
  tenantId: string,
  { currency, descriptor, occurredAt, reference }: StatementLine,
  amountMinor: number,
): Script<readonly ComparedPayment[]> {
  const at = Date.parse(occurredAt);
  const span = { from: at - MOST_APART_MS - LONGEST_MS, to: at + MOST_APART_MS };
  const isLive = ({ status, commit_until: until }: ComparedPayment) => status !== 'CANCELED' || until > at;
  const called =
    reference === undefined ? [] : yield* listComparedByName(tenantId, currency, inertText(reference), span);
  const named = called.filter(isLive);
  const alike = named.filter((one) => isAlike(one, descriptor));
  if (named.length > 0) return alike.length > 0 ? alike : named;
  const equal = (yield* listComparedByAmount(tenantId, currency, amountMinor, span)).filter(
    (one) => isLive(one) && isAlike(one, descriptor),
  );
  const open = equal.filter(({ status }) => TOLD.includes(status));
  return open.length > 0 ? open : equal;
}

/** Statements shorten names and leave out dots: the part of the domain before its ending is in them, if anything is. */
function isAlike({ merchant }: ComparedPayment, descriptor: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const [name = ''] = merchant.split('.').slice(-2);
  return name.length >= 3 && plain(descriptor).includes(plain(name));
}

function* settle(
  deps: Deps,
  tenantId: string,
  {
    line,
    amountMinor,
    met,
  }: { readonly line: StatementLine; readonly amountMinor: number; readonly met: readonly ComparedPayment[] },
  now: number,
): Script<LineOutcome> {
  const [only, other] = met;
  if (only === undefined) {
    yield* tellUnmatched(deps, tenantId, line, now);
    return { outcome: 'unmatched' };
  }
  const { mandate_id: mandateId } = only;
  if (other !== undefined && TOLD.includes(only.status)) return { outcome: 'ambiguous' };
  const payment = (yield* findPayment(tenantId, mandateId)) as PaymentRow;
  if (!TOLD.includes(only.status)) return yield* compareTold(deps, payment, amountMinor, now);
  const change = captured(payment, amountMinor, now, true);
  if (change === undefined) return { outcome: 'known', mandateId };
  const { occurredAt, descriptor } = line;
  const reference = line.reference === undefined ? undefined : inertText(line.reference);
  const evidence = compact({ kind: 'statement', occurredAt, descriptor: inertText(descriptor), reference });
  const facts = { ...change.facts, evidence };
  const paid = yield* transition(deps, payment, { ...change, facts, attested: 'owner' }, now);
  if (payment.status === 'CANCELED') yield* recordLate(deps, paid, now);
  return { outcome: 'settled', mandateId };
}

/** What was told of it as another amount than the account lost is for a person: the one who told it may have been wrong, or lied. */
function* compareTold(deps: Deps, payment: PaymentRow, amountMinor: number, now: number): Script<LineOutcome> {
  const { mandate_id: mandateId, captured_minor: told, currency } = payment;
  if (told === amountMinor) return { outcome: 'known', mandateId };
  const [shown, before] = [formatMoney(amountMinor, currency), formatMoney(told, currency)];
  yield* flagPayment(deps, payment, `A statement has ${shown} for it, and ${before} was told.`, now);
  return { outcome: 'differs', mandateId };
}

function* tellUnmatched(
  deps: Deps,
  tenantId: string,
  { amount, currency, descriptor, occurredAt, reference }: StatementLine,
  now: number,
): Script<void> {
  const message = `A statement has ${formatAmount(amount, currency)} for ${inertText(descriptor)}, which nothing was reserved for.`;
  const facts = { amount, currency, descriptor: inertText(descriptor), occurredAt, message };
  const data = { ...facts, ...compact({ reference: reference === undefined ? undefined : inertText(reference) }) };
  yield* recordNodeEvent(deps, tenantId, 'EXTERNAL_UNMATCHED', data, now);
}
