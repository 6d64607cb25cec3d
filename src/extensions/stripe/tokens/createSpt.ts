/** A shared payment token is made: by the rail where the node has one that can, by the sandbox itself otherwise. */

import { CreateSpt, Spt } from '../../../../protocol/spt.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { Caller } from '../../../access/caller.ts';
import { chooseInstrument, type PaymentMethod } from '../../../domain/instruments/chooseInstrument.ts';
import { minorAt } from '../../../domain/purchases/purchaseFacts.ts';
import { recordToken } from '../../../domain/spt/endSpt.ts';
import { findApprovedCart } from '../../../store/statements/purchases/approvalTokens.ts';
import { findIntent } from '../../../store/statements/purchases/intents.ts';
import { findPayment } from '../../../store/statements/purchases/payments.ts';
import {
  insertSharedPaymentToken,
  type SharedPaymentTokenRow,
} from '../../../store/statements/purchases/sharedPaymentTokens.ts';
import { findMerchantsOf } from '../../../store/statements/registry/merchants.ts';
import type { Script } from '../../../store/store.ts';
import type { Answer } from '../../../usecase/call.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { closeCall, openCall } from '../../../usecase/exchange.ts';
import { useCase } from '../../../usecase/useCase.ts';
import { showToken } from './manageSpts.ts';
import { tokenRail } from './tokenRail.ts';

interface SptDraft {
  readonly token: SharedPaymentTokenRow;
  readonly merchantProfile: string | undefined;
  readonly paying: PaymentMethod;
}

export const createSpt = useCase({
  summary: 'Creates a shared payment token, with which one merchant can be paid once.',
  input: CreateSpt,
  output: Spt,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: async (deps, call, input) => {
    const { tenantId } = call.caller;
    // Looked for before the rail is asked, so that a repeated request makes no second token there.
    const begun = await deps.store.read(function* (now): Script<SptDraft | { readonly answer: Answer<Spt> }> {
      const answer = yield* openCall<Spt>(deps, call, now);
      return answer === undefined ? yield* prepare(deps, call.caller, input, now) : { answer };
    });
    if ('answer' in begun) return begun.answer;
    const railTokenId = await issue(deps, begun);
    // A token that the rail made and this commit loses was never shown, and ends by itself.
    return deps.store.write(tenantId, function* (now): Script<Answer<Spt>> {
      const stored = yield* openCall<Spt>(deps, call, now);
      if (stored !== undefined) return stored;
      const token: SharedPaymentTokenRow = { ...begun.token, rail_token_id: railTokenId ?? null };
      yield* insertSharedPaymentToken(token);
      yield* recordToken(deps, 'SPT_CREATED', token, now, { expiresAt: isoTime(token.expires_at) });
      return yield* closeCall(deps, call, showToken(token, now), now);
    });
  },
});

async function issue(
  { rails, settings }: Pick<Deps, 'rails' | 'settings'>,
  { token, merchantProfile, paying }: SptDraft,
): Promise<string | undefined> {
  const issuer = tokenRail(rails)?.tokens;
  if (issuer === undefined) {
    if (settings.environment === 'sandbox') return undefined;
    throw new Fault('UNAVAILABLE', 'This node cannot issue shared payment tokens: it has no rail that issues them.');
  }
  return issuer.issue({
    id: token.id,
    amountMinor: token.amount_minor,
    currency: token.currency,
    expiresAt: token.expires_at,
    merchantDomain: token.merchant_domain,
    merchantProfile,
    instrument: paying.instrument,
  });
}

/** Everything there is to know before the rail is asked. @throws Fault NOT_FOUND for a mandate that is not known here */
function* prepare(
  deps: Pick<Deps, 'newId' | 'rails'>,
  caller: Caller,
  input: CreateSpt,
  now: number,
): Script<SptDraft> {
  const { tenantId } = caller;
  const { intentId, cartId, paymentId } = input.mandate;
  const payment = paymentId === undefined ? undefined : yield* findPayment(tenantId, paymentId);
  if (paymentId !== undefined && payment === undefined) throw missing('payment', 'paymentId', paymentId);
  const cart = cartId === undefined ? undefined : yield* findApprovedCart(tenantId, cartId);
  if (cartId !== undefined && cart === undefined) throw missing('cart', 'cartId', cartId);
  const ofIntent = intentId ?? cart?.intent_id ?? payment?.intent_id;
  const intent = ofIntent === undefined ? undefined : yield* findIntent(tenantId, ofIntent);
  if (intentId !== undefined && intent === undefined) throw missing('intent', 'intentId', intentId);
  const merchants = yield* findMerchantsOf(tenantId, input.merchantDomain);
  const rail = (tokenRail(deps.rails) ?? [...deps.rails.values()][0])?.id;
  const holder = intent && { agentDid: intent.agent_did, principalDid: intent.principal_did };
  const token: SharedPaymentTokenRow = {
    id: deps.newId('spt_'),
    tenant_id: tenantId,
    rail_token_id: null,
    status: 'ACTIVE',
    merchant_domain: input.merchantDomain,
    amount_minor: minorAt('amount', input.amount, input.currency),
    currency: input.currency,
    intent_id: intentId ?? null,
    cart_id: cartId ?? null,
    payment_id: paymentId ?? null,
    transaction_id: intent?.transaction_id ?? null,
    context_id: intent?.context_id ?? null,
    rail_payment_id: null,
    created_at: now,
    expires_at: now + input.expiresIn * 1000,
    used_at: null,
    ended_at: null,
  };
  return {
    token,
    merchantProfile: merchants.find((one) => one.rail_profile_id !== null)?.rail_profile_id ?? undefined,
    paying: holder && rail ? yield* chooseInstrument(deps, tenantId, rail, holder, undefined) : {},
  };
}

function missing(what: string, member: string, id: string): Fault {
  const message = `names no ${what} of this tenant`;
  return new Fault('NOT_FOUND', `There is no ${what} ${id}.`, [{ path: `mandate.${member}`, message }]);
}
