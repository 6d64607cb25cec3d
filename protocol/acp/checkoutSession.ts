/** A CheckoutSession of the Agentic Commerce Protocol (2026-04-17), read leniently: shops, and the protocol's own examples, differ from its schemas. */
import { z } from 'zod';
import { Currency, requireExact } from '../money.ts';
import { compact } from '../wire/compact.ts';
import { Fault } from '../wire/fault.ts';
import { detailsOf } from '../wire/issue.ts';
import { inertText } from '../wire/plainText.ts';

/** Bytes of a session: far more than any shop sends. */
const MOST_BYTES = 131_072;

const Words = z.string().max(2000);
const Amount = z.int();

const SessionTotal = z.looseObject({ type: z.string().max(100), amount: Amount, display_text: Words.nullish() });
export type SessionTotal = z.infer<typeof SessionTotal>;

const SessionLine = z.looseObject({
  quantity: z.int().positive(),
  name: Words.nullish(),
  unit_amount: Amount.nullish(),
  item: z
    .looseObject({ id: z.string().max(500).nullish(), name: Words.nullish(), unit_amount: Amount.nullish() })
    .nullish(),
});
export type SessionLine = z.infer<typeof SessionLine>;

const PaymentHandler = z.looseObject({
  id: z.string().min(1).max(255),
  name: z.string().max(255),
  psp: z.string().max(255),
  requires_pci_compliance: z.boolean().nullish(),
  config: z.looseObject({ merchant_id: z.string().min(1).max(255).nullish() }).nullish(),
});
export type PaymentHandler = z.infer<typeof PaymentHandler>;

const SessionMessage = z.looseObject({
  type: z.string().max(100),
  code: z.string().max(100).nullish(),
  content: z.string().max(10_000).nullish(),
});
type SessionMessage = z.infer<typeof SessionMessage>;

const Moment = z.iso.datetime({ offset: true }).nullish();

/** What of a session a purchase rests on. Its other members are ignored. */
const Session = z.looseObject({
  id: z.string().min(1).max(255),
  status: z.string().min(1).max(100),
  currency: z.string().max(10).toUpperCase().pipe(Currency),
  line_items: z.array(SessionLine).max(500).default([]),
  totals: z.array(SessionTotal).max(100).default([]),
  messages: z.array(SessionMessage).max(200).default([]),
  capabilities: z
    .looseObject({ payment: z.looseObject({ handlers: z.array(PaymentHandler).max(100).default([]) }).nullish() })
    .nullish(),
  expires_at: Moment,
  quote_expires_at: Moment,
  continue_url: z.string().max(2048).nullish(),
});

/** As a shop sent it, with every member. */
export type SessionDocument = Readonly<Record<string, unknown>>;

export interface CheckoutSession {
  readonly id: string;
  readonly status: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly lines: readonly SessionLine[];
  readonly totals: readonly SessionTotal[];
  readonly messages: readonly SessionMessage[];
  readonly handlers: readonly PaymentHandler[];
  /** When it can be paid no more, in milliseconds since the epoch; infinite where it does not say. */
  readonly endsAt: number;
  /** Where the shop's customer goes on; absent where it names no address of https. */
  readonly continueUrl?: string;
}

/**
 * @param path where it stands in the request
 * @throws Fault BAD_REQUEST for a document that is no session, or too long
 */
export function readSession(document: SessionDocument, path: string): CheckoutSession {
  if (new TextEncoder().encode(JSON.stringify(document)).length > MOST_BYTES) {
    refuseSession(path, `has more than ${MOST_BYTES} bytes`);
  }
  const read = Session.safeParse(document);
  if ('payment_provider' in document && read.data?.capabilities?.payment == null) refuseFormer(path);
  if (!read.success) {
    const details = detailsOf(read.error, document).map((issue) => ({
      path: issue.path === '' ? path : `${path}.${issue.path}`,
      message: issue.message,
    }));
    throw new Fault('BAD_REQUEST', 'The session is no CheckoutSession of ACP.', details);
  }
  const { id, status, currency, line_items: lines, totals, messages, capabilities, ...rest } = read.data;
  const ends = [rest.expires_at, rest.quote_expires_at].filter((at) => at != null).map((at) => Date.parse(at));
  return compact({
    ...{ id, status, currency, lines, totals, messages },
    handlers: capabilities?.payment?.handlers ?? [],
    endsAt: Math.min(Number.POSITIVE_INFINITY, ...ends),
    continueUrl: secureUrl(rest.continue_url),
  });
}

/** Until 2025-12-12 a shop named one provider, and nothing that a token could be made out to. */
function refuseFormer(path: string): never {
  const message =
    'is of an earlier version of ACP, and names no payment handler: ask the shop with API-Version 2026-04-17';
  throw new Fault('BAD_REQUEST', `The session ${message}.`, [{ path: `${path}.payment_provider`, message }]);
}

function secureUrl(text: string | null | undefined): string | undefined {
  return text != null && URL.canParse(text) && new URL(text).protocol === 'https:' ? new URL(text).href : undefined;
}

/** @throws Fault BAD_REQUEST for a session that does not say in one entry what is to be paid */
export function totalOfSession({ totals, currency }: Pick<CheckoutSession, 'totals' | 'currency'>): number {
  const [total, other] = totals.filter(({ type }) => type === 'total');
  if (total === undefined || other !== undefined) {
    return refuseSession('session.totals', 'must have exactly one entry of the type total');
  }
  if (total.amount <= 0) refuseSession('session.totals', 'must come to more than 0');
  return requireExact(total.amount, currency);
}

function refuseSession(path: string, message: string): never {
  throw new Fault('BAD_REQUEST', `The session cannot be paid as it is: ${path} ${message}.`, [{ path, message }]);
}

/** What a shop says in one of its messages, as a person may read it. */
export function wordsOf({ content }: SessionMessage): string {
  return inertText(content ?? '').slice(0, 300);
}
