/**
 * The rail of shared payment tokens on Stripe (https://docs.stripe.com/api/shared-payment/issued-token): it makes a token for one
 * merchant, who takes the money with it; what was taken is read from the token, and from no one's report.
 */
import Stripe from 'stripe';
import { z } from 'zod';
import { fromStripeAmount, toStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import type { Rail, RailOutcome, RailRequest, RailSnapshot } from '../../rails/rail.ts';
import { TOKEN_GRACE_MS } from '../../rails/tokenDouble.ts';
import { outcomeOfError } from './outcomes.ts';
import { askForTokens } from './stripeTokens.ts';

/** What is read of a token. What was captured is all that counts: a token may be used in parts, and end for several reasons. */
const IssuedToken = z.object({
  id: z.string(),
  status: z.enum(['active', 'requires_action', 'deactivated']).catch('active'),
  deactivated_reason: z.string().nullish(),
  next_action: z.object({}).nullish(),
  usage_details: z.object({ amount_captured: z.object({ value: z.int().nonnegative() }).nullish() }).nullish(),
  usage_limits: z.object({ currency: z.string(), max_amount: z.int(), expires_at: z.int() }),
});
type IssuedToken = z.infer<typeof IssuedToken>;

const TEST_CARD = 'pm_card_visa';

/** @param live whether the connection moves money; otherwise test cards may be used */
export function stripeTokenRail(id: string, stripe: Stripe, live: boolean): Rail {
  const refuse = async (): Promise<RailOutcome> => ({
    kind: 'declined',
    code: 'merchant_captures',
    message: 'The merchant takes the money, and gives it back.',
  });
  return {
    id,
    gate: { cancels: true },
    capabilities: { partialCapture: false, partialRefund: false },
    authorize: (key, request) => asked('authorize', () => issue(stripe, key, request, live)),
    capture: refuse,
    refund: refuse,
    cancel: (key, request) => asked('cancel', () => revoke(stripe, key, request)),
    // A token whose answer was lost is not found by anything else than its key: asked again under it, Stripe answers the same.
    status: async ({ operation, request }) =>
      operation === 'cancel' ? asked('cancel', () => endOf(stripe, request)) : undefined,
    accepts: (instrument) => !live && /^pm_card_\w+$/.test(instrument),
    snapshot: async (railId, _signal, credential) =>
      credential === undefined ? undefined : snapshotOf(railId, await look(stripe, credential)),
  };
}

async function asked(operation: 'authorize' | 'cancel', ask: () => Promise<RailOutcome>): Promise<RailOutcome> {
  try {
    return await ask();
  } catch (error) {
    return outcomeOfError(error, operation);
  }
}

/** @returns the token as what pays: nobody has it before this answer is recorded */
async function issue(stripe: Stripe, key: string, request: RailRequest, live: boolean): Promise<RailOutcome> {
  const { mandateId, payee, expiresAt, merchant } = request;
  const card = request.instrument ?? (live ? undefined : TEST_CARD);
  if (card === undefined) {
    return declined(
      'payment_method_missing',
      'No payment method is registered for this agent, nor for whose money it is.',
    );
  }
  const converted = toStripeAmount(request.amountMinor, request.currency);
  if ('refused' in converted) return declined('amount_invalid', converted.refused);
  if (payee === undefined || expiresAt === undefined) throw new Error('a token is for a payee, and ends');
  const token = IssuedToken.parse(
    await askForTokens(
      stripe,
      'POST',
      '',
      {
        payment_method: card,
        seller_details: { network_business_profile: payee, external_id: merchant },
        usage_limits: {
          currency: request.currency.toLowerCase(),
          max_amount: converted.amount,
          expires_at: Math.ceil(expiresAt / 1000),
        },
        shared_metadata: { mandate: mandateId },
      },
      key,
    ),
  );
  if (token.next_action != null || token.status === 'requires_action') {
    return { kind: 'actionRequired', code: 'authentication_required', message: 'The bank asks for its customer.' };
  }
  const holdUntil = expiresAt + TOKEN_GRACE_MS;
  return { kind: 'ok', railId: mandateId, status: 'token_issued', credential: token.id, holdUntil };
}

/** Revoked and nothing taken is canceled; what was taken first stays taken, and is looked at. */
async function revoke(stripe: Stripe, key: string, request: RailRequest): Promise<RailOutcome> {
  try {
    await askForTokens(stripe, 'POST', `/${encodeURIComponent(String(request.credential))}/revoke`, {}, key);
  } catch (error) {
    const outcome = outcomeOfError(error, 'cancel');
    if (outcome.kind === 'unknown') return outcome;
  }
  return endOf(stripe, request);
}

/** How a token stands: only one that has ended and took nothing is canceled. */
async function endOf(stripe: Stripe, { credential, mandateId }: RailRequest): Promise<RailOutcome> {
  if (credential === undefined) return { kind: 'ok', railId: mandateId, status: 'canceled' };
  const token = await look(stripe, credential);
  const taken = token === undefined ? 0 : takenIn(token);
  if (taken > 0) return declined('token_consumed', 'The merchant took money with the token before it was revoked.');
  if (token !== undefined && token.status !== 'deactivated') {
    return { kind: 'unknown', reason: 'The token is active at Stripe.' };
  }
  return { kind: 'ok', railId: mandateId, status: 'canceled' };
}

/** @returns undefined where Stripe knows no such token */
async function look(stripe: Stripe, token: string): Promise<IssuedToken | undefined> {
  try {
    return IssuedToken.parse(await askForTokens(stripe, 'GET', `/${encodeURIComponent(token)}`));
  } catch (error) {
    const isMissing = error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
    if (isMissing) return undefined;
    throw error;
  }
}

function takenIn({ usage_details: usage, usage_limits: limits }: IssuedToken): number {
  return fromStripeAmount(usage?.amount_captured?.value ?? 0, limits.currency.toUpperCase());
}

/** While a token is active the merchant may take the rest with it, so that all of it stays held, also after a part was taken. */
function snapshotOf(railId: string, token: IssuedToken | undefined): RailSnapshot | undefined {
  if (token === undefined) return undefined;
  const capturedMinor = takenIn(token);
  const holdUntil = token.usage_limits.expires_at * 1000 + TOKEN_GRACE_MS;
  const isWhole = (token.usage_details?.amount_captured?.value ?? 0) >= token.usage_limits.max_amount;
  if (token.status !== 'deactivated' && !isWhole) return { railId, state: 'authorized', capturedMinor, holdUntil };
  return { railId, state: capturedMinor > 0 ? 'captured' : 'canceled', capturedMinor, holdUntil };
}

function declined(code: string, message: string): RailOutcome {
  return { kind: 'declined', code, message };
}
