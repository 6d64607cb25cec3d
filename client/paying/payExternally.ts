/** A payment elsewhere between its reservation and what is told of it. */
import type { Operations } from '../operations.ts';

type ReservationCall = Operations['reserveExternally'];
type Payment = Operations['commitReservation']['output'];
export type PaymentReservation = Extract<ReservationCall['output'], { readonly allowed: true }>;
type ReservationRefusal = Extract<ReservationCall['output'], { readonly allowed: false }>;
type Evidence = Operations['commitReservation']['input']['evidence'];
type ReleaseReason = Operations['releaseReservation']['input']['reason'];

/** What was paid. Without `kind` the evidence is an `order` where it has a reference, and `none` otherwise. */
export interface ExternalReceipt extends Partial<Evidence> {
  /** In units of the currency; all that was reserved when absent. */
  readonly amount?: number;
}

/** Thrown by who knows that nothing was paid, so that the amount is released. */
export class NotPaid extends Error {
  override readonly name = 'NotPaid';
  /** Why, as the record has it. */
  readonly reason: ReleaseReason;

  constructor(reason: ReleaseReason = 'not_paid', options?: ErrorOptions) {
    super(`Nothing was paid: ${reason}.`, options);
    this.reason = reason;
  }
}

/** The policy does not allow a payment elsewhere. With `approval` a person is asked: the same call with its id as approvalId is made once they have approved. */
export class ReservationRefused extends Error {
  override readonly name = 'ReservationRefused';
  readonly refusal: ReservationRefusal;

  constructor(refusal: ReservationRefusal) {
    super(
      Object.values(refusal.details)
        .map(({ message }) => message)
        .join(' ') || refusal.reasonCodes.join(', '),
    );
    this.refusal = refusal;
  }
}

/** What is asked of a node. */
type ReservingNode = {
  readonly [Name in 'commitReservation' | 'releaseReservation' | 'reserveExternally']: (
    input: Operations[Name]['input'],
  ) => Promise<Operations[Name]['output']>;
};

/**
 * Reserves, pays, and tells what came of it. What `pay` returns is committed; where it throws NotPaid the amount is released; where it
 * throws anything else nothing is told, since the money may have moved: the reservation is left to its end.
 * @throws ReservationRefused, NotPaid once the amount is released, what `pay` throws, and CountersignError where the node does not answer
 */
export async function payExternally(
  node: ReservingNode,
  asked: ReservationCall['input'],
  pay: (reservation: PaymentReservation) => Promise<ExternalReceipt> | ExternalReceipt,
): Promise<Payment> {
  const reserved = await node.reserveExternally(asked);
  if (!reserved.allowed) throw new ReservationRefused(reserved);
  const { mandateId } = reserved;
  let paid: ExternalReceipt;
  try {
    paid = await pay(reserved);
  } catch (error) {
    if (error instanceof NotPaid) await node.releaseReservation({ mandateId, reason: error.reason });
    throw error;
  }
  const { amount, kind = paid.reference === undefined ? 'none' : 'order', ...evidence } = paid;
  const told = { mandateId, evidence: { kind, ...evidence } };
  return node.commitReservation(amount === undefined ? told : { ...told, amount });
}
