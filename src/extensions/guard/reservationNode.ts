/** The node that a guard asks: reserve before a call goes on, commit or release after it. */
import { countersign } from '../../../client/rest.ts';

export interface ReservationInput {
  readonly agentDid: string;
  readonly principalDid?: string;
  readonly merchant: string;
  readonly amount: number;
  readonly currency: string;
  readonly items?: readonly { readonly name: string; readonly price: number; readonly quantity: number }[];
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

/** Each @throws CountersignError where the node does not answer, or answers with an error. What is told twice is answered twice alike. */
export interface ReservationNode {
  reserve(input: ReservationInput): Promise<ReservationGrant | ReservationRefusal>;
  commit(mandateId: string, told: { readonly amount?: number; readonly evidence: PaymentEvidence }): Promise<unknown>;
  release(mandateId: string, reason: 'not_paid' | 'declined' | 'abandoned'): Promise<unknown>;
}

/** A host that waits for its tool does not wait longer. */
const TRANSPORT = { attempts: 3, timeoutSeconds: 15, maxWaitSeconds: 5 };

export function reservationNode(baseUrl: string, apiKey: string): ReservationNode {
  const client = countersign({ baseUrl, credential: { apiKey }, ...TRANSPORT });
  return {
    reserve: (input) => client.reserveExternally(input),
    commit: (mandateId, told) => client.commitReservation({ mandateId, ...told }),
    release: (mandateId, reason) => client.releaseReservation({ mandateId, reason }),
  };
}
