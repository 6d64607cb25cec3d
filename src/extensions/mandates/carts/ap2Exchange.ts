/**
 * Exchanges by mandates of AP2: translated into those of the table, with what earlier tasks of the same context hold. AP2's
 * cart does not name its intent, nor its payment the approval, so the context does.
 */
import type { IntentExchange, PaymentExchange } from '../../../../protocol/a2a/dataParts.ts';
import type { Artifact } from '../../../../protocol/a2a/task.ts';
import type { Ap2CartExchange, ChainExchange, MandateExchange } from '../../../../protocol/ap2/exchangeParts.ts';
import { intentOfMandate } from '../../../../protocol/ap2/intentMandate.ts';
import { readPaymentMandate, requireSamePurchase } from '../../../../protocol/ap2/paymentMandate.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { approvalKeysOf } from '../../../domain/carts/approvalToken.ts';
import { findNamed } from '../../../domain/instruments/chooseInstrument.ts';
import { cartWork } from '../../../domain/tasks/exchanges.ts';
import { type ApprovalTokenRow, findApproved } from '../../../store/statements/purchases/approvalTokens.ts';
import { findIntent, type IntentRow } from '../../../store/statements/purchases/intents.ts';
import { findCurrentPolicy } from '../../../store/statements/registry/policies.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import {
  type ExchangeContext,
  type ExchangeWork,
  type TaskExchange,
  type Translation,
  taskExchange,
} from '../../../usecase/hooks.ts';

type Members = Readonly<Record<string, unknown>>;

export const mandateExchanges: readonly TaskExchange[] = [
  taskExchange<MandateExchange>({ kind: 'ap2', translate }),
  taskExchange<Ap2CartExchange>({
    kind: 'ap2Cart',
    operation: 'validateAp2Cart',
    task: 'cart',
    *agentOf(_deps, { tenantId }, { input: { intentId } }) {
      const intent = yield* findIntent(tenantId, intentId);
      if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${intentId}.`);
      return intent.agent_did;
    },
    workOf: ({ input }): ExchangeWork => ({ cart: { name: 'validateAp2Cart', input } }),
  }),
  taskExchange<ChainExchange>({
    kind: 'chain',
    operation: 'issuePaymentCredential',
    task: 'cart',
    agentOf: (_deps, _caller, { input }) => input.agentDid,
    workOf: ({ input }) => cartWork('issuePaymentCredential', input),
  }),
];

function* translate(
  deps: Pick<Deps, 'hashToken' | 'policies' | 'rails'>,
  caller: Caller,
  context: ExchangeContext,
  exchange: MandateExchange,
  now: number,
): Script<Translation> {
  const { name, mandate, about } = exchange;
  const echo = { [name]: mandate };
  if (name === 'ap2.mandates.IntentMandate')
    return { exchange: yield* intentOf(deps, caller, mandate, about, now), echo };
  const former = yield* loadContext(context);
  if (name === 'ap2.mandates.CartMandate') return { exchange: cartOf(former, mandate, about), echo };
  return { exchange: yield* paymentOf(deps, caller, former, mandate), echo };
}

function* intentOf(
  deps: Pick<Deps, 'policies'>,
  caller: Caller,
  mandate: Members,
  about: unknown,
  now: number,
): Script<IntentExchange> {
  const policy = yield* findCurrentPolicy(caller.tenantId);
  const rules = policy && deps.policies.compiled(policy).rules;
  const [only, ...others] = caller.agents ?? [];
  const agentDid = caller.did ?? (others.length === 0 ? only : undefined);
  return { kind: 'intent', input: intentOfMandate(mandate, about, { agentDid, rules, now }) };
}

/** What earlier tasks of the context handed over. @throws Fault BAD_REQUEST for a message that names none */
function loadContext(context: ExchangeContext): Script<readonly Artifact[]> {
  if (context.id === undefined) {
    const message = 'is missing: AP2 relates intent, cart and payment by the context of their messages';
    throw new Fault('BAD_REQUEST', `message.contextId ${message}.`, [{ path: 'message.contextId', message }]);
  }
  return context.listArtifacts();
}

function cartOf(former: readonly Artifact[], cartMandate: Members, about: unknown): Ap2CartExchange {
  const named = (about as { readonly intentId?: unknown } | undefined)?.intentId;
  const intentId = typeof named === 'string' ? named : firstOf(former, intentIn);
  if (intentId !== undefined) return { kind: 'ap2Cart', input: { intentId, cartMandate } };
  const message =
    'has no intent that was allowed; ask for one in this context first, or name it by countersign.about.intentId';
  throw new Fault('BAD_REQUEST', `The context ${message}.`, [{ path: 'message.contextId', message }]);
}

function intentIn(data: Members): string | undefined {
  const result = data['countersign.intentResult'] as {
    readonly intentVc?: { credentialSubject?: { mandateId?: unknown } };
  };
  const id = result?.intentVc?.credentialSubject?.mandateId;
  return typeof id === 'string' ? id : undefined;
}

/** A cart that was approved, as its task handed it over. */
interface ApprovedCart {
  readonly cartMandate: Members;
  readonly approvalToken: string;
}

function* paymentOf(
  deps: Pick<Deps, 'hashToken' | 'rails'>,
  { tenantId }: Caller,
  former: readonly Artifact[],
  mandate: Members,
): Script<PaymentExchange> {
  const payment = readPaymentMandate(mandate);
  const cart = firstOf(former, (data) => approvedIn(data, payment.detailsId));
  if (cart === undefined) {
    const path = 'paymentMandate.payment_mandate_contents.payment_details_id';
    const message = 'is that of no cart that was approved in this context';
    throw new Fault('BAD_REQUEST', `${path} ${message}.`, [{ path, message }]);
  }
  requireSamePurchase(payment, cart.cartMandate);
  const approved = yield* findApproved(tenantId, approvalKeysOf(deps, cart.approvalToken));
  const { approvalToken } = cart;
  if (approved === undefined || payment.instrument === undefined) return { kind: 'payment', input: { approvalToken } };
  const isOurs = yield* isUsable(deps, approved, payment.instrument);
  const { instrument } = payment;
  return { kind: 'payment', input: isOurs ? { approvalToken, instrument } : { approvalToken } };
}

function approvedIn(data: Members, detailsId: string): ApprovedCart | undefined {
  const cartMandate = data['ap2.mandates.CartMandate'] as Loose;
  const { approvalToken } = (data['countersign.cartResult'] ?? {}) as { readonly approvalToken?: string };
  if (cartMandate === undefined || approvalToken === undefined) return undefined;
  return cartMandate.contents?.payment_request?.details?.id === detailsId ? { cartMandate, approvalToken } : undefined;
}

/** As far as a cart mandate is looked into before it is read. */
type Loose =
  | (Members & { readonly contents?: { readonly payment_request?: { readonly details?: { id?: unknown } } } })
  | undefined;

/** What is paid, as far as what it may be paid with goes. */
interface PaidWith {
  readonly approval: Pick<ApprovalTokenRow, 'rail'>;
  readonly intent: Pick<IntentRow, 'tenant_id' | 'agent_did' | 'principal_did'>;
}

/** The token of AP2's payment response may be that of another provider, which this node knows nothing of. */
function* isUsable(deps: Pick<Deps, 'rails'>, { approval, intent }: PaidWith, instrument: string): Script<boolean> {
  const holder = { agentDid: intent.agent_did, principalDid: intent.principal_did };
  return (yield* findNamed(deps, intent.tenant_id, approval.rail, holder, instrument)) !== undefined;
}

/** The first that is found in what tasks have handed over, all data of an artifact together. */
function firstOf<T>(artifacts: readonly Artifact[], look: (data: Members) => T | undefined): T | undefined {
  for (const artifact of artifacts) {
    const found = look(dataOf(artifact));
    if (found !== undefined) return found;
  }
  return undefined;
}

function dataOf({ parts }: Artifact): Members {
  return Object.assign({}, ...parts.map(({ data }) => data ?? {}));
}
