/** Asks the node's authorizers of a purchase that names one, or has come from one; all of them must allow it. */

import type { PaymentRecord, PaymentRequest } from '../../../protocol/payment.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type {
  ApprovedPurchase,
  AskedAuthorization,
  Authorizer,
  HookDeps,
  IntentAuthorization,
  PricedPurchase,
} from '../../usecase/hooks.ts';

type AuthorizerDeps = Pick<Deps, 'operations'>;

/** What the authorizers know of the one that an intent names, in their order. */
export function* loadAuthorizers(
  { operations: { hooks } }: AuthorizerDeps,
  tenantId: string,
  delegationId: string | undefined,
): Script<readonly unknown[]> {
  const loaded: unknown[] = [];
  if (delegationId === undefined) return loaded;
  for (const each of hooks.authorizers) loaded.push(yield* each.loadForIntent?.(tenantId, delegationId) ?? nothing());
  return loaded;
}

/** @param loaded as loadAuthorizers gave it */
export function* authorizeIntent(
  { operations: { hooks } }: AuthorizerDeps,
  loaded: readonly unknown[],
  asked: AskedAuthorization,
): Script<IntentAuthorization | undefined> {
  for (const [at, each] of hooks.authorizers.entries()) {
    const found = yield* each.judgeIntent?.(loaded[at], asked) ?? nothing();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names the reasons of a refusal that are not the policy's, so that a replay of the policy can leave them out. */
export function reasonsOutsidePolicy({ reasons }: Pick<IntentAuthorization, 'reasons'>): object {
  const mandateReasonCodes = Object.keys(reasons);
  return mandateReasonCodes.length === 0 ? {} : { mandateReasonCodes };
}

export function authorizeCart(
  deps: AuthorizerDeps,
  intent: IntentRow,
  purchase: PricedPurchase,
  now: number,
): Script<ReasonDetails> {
  return askAll(deps, intent, (each) => each.judgeCart?.(intent, purchase, now), UNOWNED);
}

/** @param instrument that the payment names */
export function authorizePayment(
  deps: AuthorizerDeps & Pick<Deps, 'rails'>,
  purchase: ApprovedPurchase,
  instrument: string | undefined,
  now: number,
): Script<ReasonDetails> {
  return askAll(deps, purchase.intent, (each) => each.judgePayment?.(deps, purchase, instrument, now), UNOWNED);
}

/** Says why an intent is not to be paid any more, such as a mandate behind it that was revoked. */
export function refuseEnded(deps: AuthorizerDeps, intent: IntentRow): Script<ReasonDetails> {
  return askAll(deps, intent, (each) => each.judgeEnd?.(intent), {});
}

/** The mandate behind a purchase that no authorizer has as its own is of an extension that the node runs without. */
const UNOWNED: ReasonDetails = {
  MANDATE_INVALID: { message: 'The mandate behind this purchase is of an extension that this node runs without.' },
};

/** @param otherwise what is said where no authorizer has the purchase as its own */
function* askAll(
  { operations: { hooks } }: AuthorizerDeps,
  { by_mandate: byMandate }: Pick<IntentRow, 'by_mandate'>,
  ask: (authorizer: Authorizer) => Script<ReasonDetails | undefined> | undefined,
  otherwise: ReasonDetails,
): Script<ReasonDetails> {
  if (byMandate === null) return {};
  let reasons: ReasonDetails | undefined;
  for (const each of hooks.authorizers) {
    const found = yield* ask(each) ?? nothing();
    if (found !== undefined) reasons = { ...reasons, ...found };
  }
  return reasons ?? otherwise;
}

/** Tells the authorizers of an intent what has become of it. */
export function* tellAuthorizers(
  { operations: { hooks } }: AuthorizerDeps,
  { by_mandate: byMandate }: Pick<IntentRow, 'by_mandate'>,
  tell: (authorizer: Authorizer) => Script<void> | undefined,
): Script<void> {
  if (byMandate === null) return;
  for (const each of hooks.authorizers) yield* tell(each) ?? nothing();
}

/** The instrument that an intent must be paid with, by the rail's name of it; undefined where any may be. */
export function* requiredInstrument(
  { operations: { hooks } }: AuthorizerDeps,
  intent: IntentRow,
): Script<string | undefined> {
  if (intent.by_mandate === null) return undefined;
  for (const each of hooks.authorizers) {
    const named = yield* each.instrumentOf?.(intent) ?? nothing();
    if (named !== undefined) return named;
  }
  return undefined;
}

type AuthorizedPayment = Pick<PaymentRow, 'by_mandate' | 'checkout_key'>;

function isAuthorized({ by_mandate: byMandate, checkout_key: checkoutKey }: AuthorizedPayment): boolean {
  return byMandate !== null || checkoutKey !== null;
}

/** Tells the authorizers of a payment that was written, which the rail is not asked for yet. */
export function* tellOfPayment(
  deps: AuthorizerDeps & Pick<Deps, 'newToken'>,
  payment: PaymentRow,
  asked: PaymentRequest,
  now: number,
): Script<void> {
  if (!isAuthorized(payment)) return;
  for (const each of deps.operations.hooks.authorizers)
    yield* each.afterPayment?.(deps, payment, asked, now) ?? nothing();
}

/** Tells the authorizers of a payment that it has changed its state. */
export function* tellOfOutcome(deps: HookDeps, payment: PaymentRow, now: number): Script<void> {
  if (!isAuthorized(payment)) return;
  for (const each of deps.operations.hooks.authorizers) yield* each.afterOutcome?.(deps, payment, now) ?? nothing();
}

/** Reads what authorizers add to the answer of a payment. @param maySpend whether its reader may be shown what buys */
export function* shownByAuthorizers(
  deps: AuthorizerDeps & Pick<Deps, 'sealer'>,
  payment: PaymentRow,
  maySpend: boolean,
): Script<Partial<PaymentRecord>> {
  const shown = {};
  if (!isAuthorized(payment)) return shown;
  for (const each of deps.operations.hooks.authorizers) {
    Object.assign(shown, yield* each.showPayment?.(deps, payment, maySpend) ?? nothing());
  }
  return shown;
}

function* nothing(): Script<undefined> {
  return undefined;
}
