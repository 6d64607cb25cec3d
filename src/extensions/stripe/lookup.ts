/** Finds at Stripe the object whose answer never arrived, in a bounded number of requests. */
import Stripe from 'stripe';
import { compact } from '../../../protocol/wire/compact.ts';
import type { RailAttempt } from '../../rails/rail.ts';
import { IntentAnswer, RefundAnswer } from './answers.ts';

/** How much Stripe's clock and ours may differ. */
const CLOCK_SKEW_SECONDS = 300;
/** The first tries fall into so long a time, in which an object is looked for first. */
const FIRST_TRIES_SECONDS = 900;
/** No attempt is repeated later than this after the first try. */
const LATEST_SECONDS = 25 * 3600;
const PAGE = 100;
/** A busy account makes more objects than one look can go through. */
const MOST_PAGES = 20;

interface Look<Found> {
  readonly found?: Found | undefined;
  /** False where there was more to look through, so that what was not found may exist all the same. */
  readonly complete: boolean;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** Goes through the pages of a list until an item fits, the pages end, too many were read, or the time is up. */
async function lookThrough<Item extends { readonly id: string }>(
  signal: AbortSignal,
  pages: { left: number },
  read: (after: string | undefined) => Promise<Page<Item>>,
  fits: (item: Item) => boolean,
): Promise<Look<Item>> {
  let after: string | undefined;
  while (pages.left > 0 && !signal.aborted) {
    pages.left -= 1;
    const page = await read(after);
    const found = page.data.find(fits);
    if (found !== undefined) return { found, complete: true };
    if (!page.has_more) return { complete: true };
    after = page.data.at(-1)?.id;
  }
  return { complete: false };
}

/**
 * The payment intent of a mandate, by its metadata. The search finds it on an account of any size, but its index lags
 * behind; that there is none, only the list can say, which is complete at once.
 */
export async function findIntent(
  stripe: Stripe,
  attempt: RailAttempt,
  signal: AbortSignal,
): Promise<Look<IntentAnswer>> {
  const indexed = await searchIntent(stripe, attempt.key);
  if (indexed !== undefined) return { found: indexed, complete: true };
  const since = Math.floor(attempt.createdAt / 1000) - CLOCK_SKEW_SECONDS;
  const soon = since + FIRST_TRIES_SECONDS;
  const latest = since + LATEST_SECONDS + 2 * CLOCK_SKEW_SECONDS;
  const pages = { left: MOST_PAGES };
  const list = (from: number, to: number) =>
    lookThrough(
      signal,
      pages,
      (after) =>
        stripe.paymentIntents.list(
          compact({
            created: { gte: from, lte: to },
            customer: attempt.request.customer,
            limit: PAGE,
            starting_after: after,
            expand: ['data.latest_charge'],
          }),
        ),
      ({ metadata }) => metadata.mandate === attempt.key,
    );
  const first = await list(since, soon);
  const last = first.complete && first.found === undefined ? await list(soon + 1, latest) : first;
  return { ...last, found: last.found && IntentAnswer.parse(last.found) };
}

async function searchIntent(stripe: Stripe, key: string): Promise<IntentAnswer | undefined> {
  try {
    const { data } = await stripe.paymentIntents.search({ query: `metadata["mandate"]:"${key}"`, limit: 1 });
    const [indexed] = data;
    // What the index knows of its state may be old.
    return indexed?.metadata.mandate === key ? await retrieveIntent(stripe, indexed.id) : undefined;
  } catch (error) {
    // Stripe has no search in some countries, and a restricted key may not use it.
    const { StripeInvalidRequestError: Invalid, StripePermissionError: Forbidden } = Stripe.errors;
    if (error instanceof Invalid || error instanceof Forbidden) return undefined;
    throw error;
  }
}

/** Undefined when there is no such payment. */
export async function retrieveIntent(stripe: Stripe, railId: string): Promise<IntentAnswer | undefined> {
  try {
    return IntentAnswer.parse(await stripe.paymentIntents.retrieve(railId, { expand: ['latest_charge'] }));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return undefined;
    throw error;
  }
}

/** The refund that an attempt made. */
export async function findRefund(
  stripe: Stripe,
  railId: string,
  attemptKey: string,
  signal: AbortSignal,
): Promise<Look<RefundAnswer>> {
  const look = await lookThrough(
    signal,
    { left: MOST_PAGES },
    (after) => stripe.refunds.list(refundsOf(railId, after, ['data.charge'])),
    ({ metadata }) => metadata?.attempt === attemptKey,
  );
  return { ...look, found: look.found && RefundAnswer.parse(look.found) };
}

/** What a payment's refunds come to in Stripe's units, without those that failed; undefined where there are too many. */
export async function sumRefunds(stripe: Stripe, railId: string, signal: AbortSignal): Promise<number | undefined> {
  let sum = 0;
  const { complete } = await lookThrough(
    signal,
    { left: MOST_PAGES },
    (after) => stripe.refunds.list(refundsOf(railId, after)),
    ({ status, amount }) => {
      if (status !== 'failed' && status !== 'canceled') sum += amount;
      return false;
    },
  );
  return complete ? sum : undefined;
}

function refundsOf(railId: string, after: string | undefined, expand?: string[]): Stripe.RefundListParams {
  return compact({ payment_intent: railId, limit: PAGE, starting_after: after, expand });
}
