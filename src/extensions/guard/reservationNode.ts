/** The node that a guard asks: reserve before a call goes on, commit or release after it. */
import { CountersignError } from '../../../client/error.ts';
import type { Guard, Operations } from '../../../client/operations.ts';
import { type Client, countersign } from '../../../client/rest.ts';

export interface ReservationInput {
  readonly agentDid: string;
  readonly principalDid?: string;
  readonly merchant: string;
  readonly amount: number;
  readonly currency: string;
  readonly items?: readonly { readonly name: string; readonly price: number; readonly quantity: number }[];
  readonly mcc?: string;
  readonly country?: string;
  readonly channel: 'card' | 'wallet' | 'bank' | 'invoice' | 'other';
  readonly reference?: string;
  readonly expiresIn?: number;
  readonly approvalId?: string;
  readonly enforcement: 'proxy';
  readonly idempotencyKey: string;
}

interface ReservationGrant {
  readonly allowed: true;
  readonly mandateId: string;
  readonly expiresAt: string;
}

export interface ReservationRefusal {
  readonly allowed: false;
  readonly reasonCodes: readonly string[];
  readonly details?: Readonly<Record<string, { readonly message: string }>>;
  readonly approval?: { readonly id: string; readonly url?: string; readonly expiresAt?: string };
  readonly duplicateOf?: unknown;
}

export interface PaymentEvidence {
  readonly kind: 'confirmation';
  readonly sha256: string;
  readonly reference: string;
  readonly occurredAt: string;
}

export interface CommitFacts {
  /** In units of the currency; all that was reserved when absent. */
  readonly amount?: number | undefined;
  readonly evidence: PaymentEvidence;
}

type ReleaseReason = 'not_paid' | 'declined' | 'abandoned';

/**
 * Each @throws CountersignError where the node does not answer, or answers with an error. What is told twice, under one key, counts once and
 * is answered twice alike.
 */
export interface ReservationNode {
  reserve(input: ReservationInput): Promise<ReservationGrant | ReservationRefusal>;
  commit(mandateId: string, facts: CommitFacts, idempotencyKey: string): Promise<unknown>;
  release(mandateId: string, reason: ReleaseReason, idempotencyKey: string): Promise<unknown>;
}

/** A host that waits for its tool does not wait longer. */
const TRANSPORT = { attempts: 3, timeoutSeconds: 15, maxWaitSeconds: 5 };

export function reservationNode(baseUrl: string, apiKey: string): ReservationNode {
  return askedBy(countersign({ baseUrl, credential: { apiKey }, ...TRANSPORT }));
}

export function askedBy(
  client: Pick<Client, 'reserveExternally' | 'commitReservation' | 'releaseReservation'>,
): ReservationNode {
  return {
    reserve: (input) => client.reserveExternally(input),
    async commit(mandateId, { amount, evidence }, idempotencyKey) {
      const paid = { mandateId, ...(amount === undefined ? {} : { amount }), idempotencyKey };
      try {
        return await client.commitReservation({ ...paid, evidence });
      } catch (error) {
        if (!isAhead(error)) throw error;
        // That it was paid counts, and not the clock of this machine.
        const { occurredAt: _wrong, ...rest } = evidence;
        return client.commitReservation({ ...paid, evidence: rest });
      }
    },
    release: (mandateId, reason, idempotencyKey) => client.releaseReservation({ mandateId, reason, idempotencyKey }),
  };
}

/** Whether the node takes the time of it for one that has not come yet. */
function isAhead(error: unknown): boolean {
  if (!(error instanceof CountersignError) || error.status !== 400) return false;
  return error.details.some(({ path }) => path === 'evidence.occurredAt');
}

/** What a guard tells of its tools. */
export type GuardReport = Operations['tellGuard']['input'];

/** A node that keeps what guards tell of their tools. Each @throws CountersignError */
export interface ToolNode {
  tell(report: GuardReport): Promise<Guard>;
  show(id: string): Promise<Guard>;
}

/** A list of tools waits for what people accepted meanwhile, and not for long. */
const BRIEFLY = { attempts: 1, timeoutSeconds: 5 };

export function toolNode(baseUrl: string, apiKey: string): ToolNode {
  const client = countersign({ baseUrl, credential: { apiKey }, ...BRIEFLY });
  return {
    tell: (report) => client.tellGuard(report),
    show: (id) => client.getGuard({ id }),
  };
}
