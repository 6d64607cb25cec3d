/** Exports what moved in a month as a journal that accounting takes: double entry, as CSV or for Beancount. */
import { z } from 'zod';
import {
  BEANCOUNT_HEADER,
  beancountText,
  JOURNAL_EVENTS,
  JOURNAL_HEADER,
  type JournalEntry,
  JournalRequest,
  journalEntry,
  journalRows,
} from '../../../protocol/evidence/journal.ts';
import { type DateClock, dateClockOf, firstMomentOf } from '../../../protocol/wire/timezone.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import { listEvidence } from '../../store/statements/evidence/search.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Deps } from '../../usecase/deps.ts';
import { csvLine } from '../../usecase/list/csv.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const PAGE = 200;

const FORMATS = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    suffix: 'csv',
    header: csvLine(JOURNAL_HEADER),
    text: (entry: JournalEntry) => journalRows(entry).map(csvLine).join(''),
  },
  beancount: {
    type: 'text/plain; charset=utf-8',
    suffix: 'beancount',
    header: BEANCOUNT_HEADER,
    text: beancountText,
  },
} as const;

export const exportJournal = useCase({
  summary: 'Exports what was paid, refunded and disputed in a month as a journal in double entry, newest first.',
  input: JournalRequest,
  output: z.string(),
  media: ['text/csv', 'text/plain'],
  endless: true,
  permission: 'read',
  run: inSteps<JournalRequest, ByteStream>(async (deps, { tenantId }, { month, timezone = 'UTC', format }) => {
    const clock = dateClockOf(timezone) as DateClock;
    const { type, suffix, header, text } = FORMATS[format];
    return new ByteStream(type, pieces(), `journal-${month}.${suffix}`);

    async function* pieces(): AsyncGenerator<string> {
      yield header;
      for await (const entries of pagesOf(deps, tenantId, spanOf(month, clock), clock))
        yield entries.map(text).join('');
    }
  }),
});

interface Span {
  /** Milliseconds since the epoch, both included. */
  readonly from: number;
  readonly to: number;
}

function spanOf(text: string, clock: DateClock): Span {
  const [year = 0, month = 0] = text.split('-').map(Number);
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return { from: firstMomentOf(clock, { year, month, day: 1 }), to: firstMomentOf(clock, { ...next, day: 1 }) - 1 };
}

async function* pagesOf(
  { store }: Pick<Deps, 'store'>,
  tenantId: string,
  span: Span,
  clock: DateClock,
): AsyncGenerator<readonly JournalEntry[]> {
  let before: number | undefined;
  for (;;) {
    const filter = { ...span, eventTypes: JOURNAL_EVENTS };
    const from = before;
    const page = await store.readApart(function* () {
      const rows = yield* listEvidence(tenantId, filter, from, PAGE);
      const entries: JournalEntry[] = [];
      for (const row of rows) {
        const entry = yield* entryOf(tenantId, row, clock);
        if (entry !== undefined) entries.push(entry);
      }
      return { entries, last: rows.at(-1)?.seq, isFull: rows.length === PAGE };
    });
    yield page.entries;
    if (!page.isFull) return;
    before = page.last;
  }
}

function* entryOf(tenantId: string, row: EvidenceRow, clock: DateClock): Script<JournalEntry | undefined> {
  const data = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
  const payment = yield* findPayment(tenantId, String(data['mandateId']));
  if (payment === undefined) return undefined;
  const event = { id: row.id, type: row.event_type, data };
  return journalEntry(event, dateText(row.created_at, clock), {
    mandateId: payment.mandate_id,
    merchant: payment.merchant,
    rail: payment.rail,
    currency: payment.currency,
    description: payment.description ?? undefined,
    mcc: payment.mcc ?? undefined,
    ...(yield* partiesOf(payment)),
  });
}

/** By their names, or by their DIDs where they have none. */
function* partiesOf(payment: PaymentRow): Script<{ readonly agent: string; readonly principal: string }> {
  const { tenant_id: tenantId, agent_did: agentDid, principal_did: principalDid } = payment;
  const agent = yield* findAgent(tenantId, agentDid);
  const principal = yield* findPrincipal(tenantId, principalDid);
  return { agent: agent?.display_name ?? agentDid, principal: principal?.name ?? principalDid };
}

function dateText(time: number, clock: DateClock): string {
  const { year, month, day } = clock.read(time);
  return [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
}
