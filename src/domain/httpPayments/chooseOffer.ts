/** Which of the offers that a server made is paid, and by which protocol. */
import type { HttpPaymentRequest } from '../../../protocol/httpPayment.ts';
import { formatMoney } from '../../../protocol/money.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { candidateRails } from '../../../protocol/policy/rules/rails.ts';
import type { ReasonDetails } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { OfferReading, PayingAgent, PaymentOffer, PaymentProtocol } from '../../usecase/paymentProtocol.ts';

/** An offer, and by what it would be paid. */
export interface PayableOffer {
  readonly protocol: PaymentProtocol;
  readonly offer: PaymentOffer;
}

export interface ReadOffers {
  /** The first offer of each protocol that the node has a rail for. */
  readonly payable: readonly PayableOffer[];
  /** Why nothing can be paid, where there is none. */
  readonly reasons: ReasonDetails;
}

type ReadDeps = Pick<Deps, 'operations' | 'rails'>;

/** @param now milliseconds since the epoch @throws Fault BAD_REQUEST for what is malformed, or where nothing was asked for */
export function* readOffers(
  deps: ReadDeps,
  { tenantId }: Pick<Caller, 'tenantId'>,
  received: HttpPaymentRequest,
  now: number,
): Script<ReadOffers> {
  if (received.challenges === undefined && received.paymentRequired === undefined) {
    const message = 'must be there, or paymentRequired: what the server asked for, as it was received';
    throw new Fault('BAD_REQUEST', `challenges ${message}.`, [{ path: 'challenges', message }]);
  }
  const { protocols } = deps.operations.hooks;
  if (protocols.length === 0) {
    throw new Fault('NOT_FOUND', 'This node runs without an extension that pays what servers ask for.');
  }
  const { agentDid, principalDid = agentDid, instrument } = received;
  const payer = { tenantId, agentDid, principalDid, instrument };
  const payable: PayableOffer[] = [];
  const others: string[] = [];
  let expired: string | undefined;
  const whys: string[] = [];
  let malformed: Fault | undefined;
  for (const protocol of protocols) {
    const reading = yield* readOne(protocol, received, payer, now);
    if (reading instanceof Fault) {
      malformed ??= reading;
      continue;
    }
    others.push(...reading.others);
    expired ??= reading.expired;
    if (reading.reason !== undefined) whys.push(reading.reason);
    const [offer] = reading.offers;
    if (offer === undefined) continue;
    if (deps.rails.has(protocol.rail)) payable.push({ protocol, offer });
    else others.push(`${protocol.name} (this node has no ${protocol.rail})`);
  }
  if (payable.length === 0 && malformed !== undefined) throw malformed;
  requireEqualMoney(payable);
  // Who names what the node itself has, such as a wallet, has chosen what is paid by it.
  const named = payable.filter(({ offer }) => offer.instrument !== undefined && offer.instrument === instrument);
  if (named.length > 0) return { payable: named, reasons: {} };
  if (payable.length > 0 || expired === undefined) return { payable, reasons: unavailable(others, whys) };
  return { payable, reasons: { CART_EXPIRED: { message: expired } } };
}

/** @returns the fault of an offer that is malformed: one by another protocol beside it may be paid all the same */
function* readOne(
  protocol: PaymentProtocol,
  received: HttpPaymentRequest,
  payer: PayingAgent,
  now: number,
): Script<OfferReading | Fault> {
  try {
    return yield* protocol.readOffers(received, payer, now);
  } catch (error) {
    if (error instanceof Fault && error.code === 'BAD_REQUEST') return error;
    throw error;
  }
}

function unavailable(others: readonly string[], whys: readonly string[]): ReasonDetails {
  const offered = others.length === 0 ? 'nothing that is known here' : [...new Set(others)].join(', ');
  return {
    RAIL_UNAVAILABLE: {
      message: `Nothing of what was offered can be paid. Offered: ${offered}.${whys.map((why) => ` ${why}`).join('')}`,
    },
  };
}

/** @throws Fault BAD_REQUEST: an agent that chose its offer would choose its budget */
function requireEqualMoney([first, ...others]: readonly PayableOffer[]): void {
  for (const other of others) {
    if (first === undefined) return;
    const isEqual =
      other.offer.amountMinor === first.offer.amountMinor && other.offer.currency === first.offer.currency;
    if (!isEqual) throw new Fault('BAD_REQUEST', `The two offers differ: ${moneyOf(first)} and ${moneyOf(other)}.`);
  }
}

function moneyOf({ offer: { exact, amountMinor, currency } }: PayableOffer): string {
  return exact === undefined ? formatMoney(amountMinor, currency) : `${exact.amount} ${exact.asset}`;
}

/** Of what can be paid the first by the policy's order of rails; where the policy allows none, the first, which is refused for that. */
export function chooseOffer(policy: CompiledPolicy, payable: readonly PayableOffer[]): PayableOffer | undefined {
  const [best] = candidateRails(
    policy,
    payable.map(({ protocol }) => protocol.rail),
  );
  return payable.find(({ protocol }) => protocol.rail === best) ?? payable[0];
}
