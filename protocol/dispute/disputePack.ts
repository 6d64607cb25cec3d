/** What answers a dispute: the payment, what was decided and by whom, what the merchant signed and told, and what the rail recorded. */
import type { PortableBundle } from '../evidence/bundle.ts';
import type { EvidenceEvent } from '../evidence/chain.ts';
import type { PaymentRecord } from '../payment.ts';
import { compact } from '../wire/compact.ts';

const PACK_FORMAT = 'countersign-dispute-pack/1';

export interface DisputePack {
  readonly format: typeof PACK_FORMAT;
  readonly madeAt: string;
  /** With all of its disputes. */
  readonly payment: PaymentRecord;
  readonly decision: {
    /** What the agent asked for. */
    readonly asked: EvidenceEvent | undefined;
    /** What was bought, and by which policy it was approved. */
    readonly approved: EvidenceEvent | undefined;
    /** What a person did for it. */
    readonly persons: readonly EvidenceEvent[];
  };
  readonly merchant: {
    /** In what form the merchant signed what was bought; `node` where the merchant signed nothing, and the node wrote it down. */
    readonly cart: 'cart' | 'cartMandate' | 'checkout' | 'node' | undefined;
    /** What the merchant told of the payment and of delivery, as the agent brought it. */
    readonly told: unknown;
  };
  /** What became of the money, the oldest first. */
  readonly rail: readonly EvidenceEvent[];
  /** All of it, to be checked without the node. */
  readonly bundle: PortableBundle;
}

const BY_PERSON: readonly string[] = ['HP_VERIFIED', 'APPROVAL_REQUESTED', 'APPROVAL_GRANTED', 'APPROVAL_DENIED'];
const OF_DECISION: readonly string[] = ['INTENT_ISSUED', 'CART_VALIDATED', ...BY_PERSON];

/** @param told JSON of what was told of the settlement of a payment by HTTP */
export function disputePack(
  payment: PaymentRecord,
  bundle: PortableBundle,
  { told, madeAt }: { readonly told: string | undefined; readonly madeAt: string },
): DisputePack {
  const { events, credentials } = bundle;
  const approved = events.findLast(({ eventType }) => eventType === 'CART_VALIDATED');
  return {
    format: PACK_FORMAT,
    madeAt,
    payment,
    decision: compact({
      asked: events.find(({ eventType }) => eventType === 'INTENT_ISSUED'),
      approved,
      persons: events.filter(({ eventType }) => BY_PERSON.includes(eventType)),
    }) as DisputePack['decision'],
    merchant: compact({
      cart: cartForm(credentials, approved),
      told: told === undefined ? undefined : JSON.parse(told),
    }) as DisputePack['merchant'],
    rail: events.filter(({ eventType }) => !OF_DECISION.includes(eventType)),
    bundle,
  };
}

function cartForm(
  { cart, cartMandate, checkout }: PortableBundle['credentials'],
  approved: EvidenceEvent | undefined,
): DisputePack['merchant']['cart'] {
  if (cartMandate !== undefined) return 'cartMandate';
  if (checkout !== undefined) return 'checkout';
  if (cart === undefined) return undefined;
  // A cart that the node made says by which protocol it was asked for.
  return approved?.data['source'] === undefined ? 'cart' : 'node';
}

/** Events of one type that follow each other, such as the signatures of a hundred requests. */
export interface EventRun {
  readonly first: EvidenceEvent;
  readonly last: EvidenceEvent;
  readonly count: number;
}

/** A few are told one by one. */
const MOST_ALIKE = 3;

/** What happened, told so that what an agent did thousands of times leaves room for the rest. @param events oldest first */
export function eventRuns(events: readonly EvidenceEvent[]): EventRun[] {
  const runs: EvidenceEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.[0]?.eventType === event.eventType) run.push(event);
    else runs.push([event]);
  }
  return runs
    .flatMap((run) => (run.length > MOST_ALIKE ? [run] : run.map((event) => [event])))
    .map((run) => ({
      first: run[0] as EvidenceEvent,
      last: run.at(-1) as EvidenceEvent,
      count: run.length,
    }));
}
