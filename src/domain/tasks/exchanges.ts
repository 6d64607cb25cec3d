/** The exchanges of the kernel: an intent, a cart, a payment, or all three in one task, and what a server asks for by HTTP. */
import type {
  CartExchange,
  HttpPaymentExchange,
  IntentExchange,
  PaymentExchange,
  PurchaseExchange,
} from '../../../protocol/a2a/dataParts.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor } from '../../access/caller.ts';
import { findApproved } from '../../store/statements/purchases/approvalTokens.ts';
import { type ExchangeWork, type TaskExchange, taskExchange } from '../../usecase/hooks.ts';
import { approvalKeysOf } from '../carts/approvalToken.ts';

export const purchaseExchanges: readonly TaskExchange[] = [
  taskExchange<IntentExchange>({
    kind: 'intent',
    operation: 'issueIntent',
    task: 'intent',
    agentOf: (_deps, _caller, { input }) => input.agentDid,
    workOf: () => ({}),
  }),
  taskExchange<PurchaseExchange>({
    kind: 'purchase',
    operation: 'issueIntent',
    task: 'purchase',
    agentOf: (_deps, _caller, { input }) => input.agentDid,
    workOf({ input, instrument }): ExchangeWork {
      // What the intent was asked in, the payment is.
      const formats = input.credentialFormats?.filter((format) => format !== 'verdict') ?? [];
      return { instrument, credentialFormats: formats.length === 0 ? undefined : formats };
    },
  }),
  taskExchange<CartExchange>({
    kind: 'cart',
    operation: 'validateCart',
    task: 'cart',
    agentOf(_deps, _caller, { input }) {
      const { credentialSubject } = input.intentVc as { readonly credentialSubject?: { agentDid?: unknown } };
      return String(credentialSubject?.agentDid);
    },
    workOf: ({ input }) => cartWork('validateCart', input),
  }),
  taskExchange<PaymentExchange>({
    kind: 'payment',
    operation: 'mandatePayment',
    task: 'payment',
    *agentOf(deps, caller, { input: { approvalToken } }) {
      const found = yield* findApproved(caller.tenantId, approvalKeysOf(deps, approvalToken));
      if (found === undefined || !actsFor(caller, found.approval.agent_did)) {
        throw new Fault('NOT_FOUND', 'There is no such approval token.');
      }
      return found.approval.agent_did;
    },
    workOf({ input }): ExchangeWork {
      const { approvalToken, instrument, userAuthorization, credentialFormats } = input;
      return { approvalToken, instrument, userAuthorization, credentialFormats };
    },
  }),
  taskExchange<HttpPaymentExchange>({
    kind: 'httpPayment',
    operation: 'authorizeHttpPayment',
    task: 'httpPayment',
    agentOf: (_deps, _caller, { input }) => input.agentDid,
    // The node makes the cart: asked again, the same call checks it again.
    workOf: ({ input }) => cartWork('authorizeHttpPayment', input),
  }),
];

/** A cart as it is checked again after the touch: with the person's proof, and as a request of the task's own. */
export function cartWork(
  name: string,
  { hpProof: _, idempotencyKey: __, ...input }: { readonly hpProof?: unknown; readonly idempotencyKey?: unknown },
): ExchangeWork {
  return { cart: { name, input } };
}
