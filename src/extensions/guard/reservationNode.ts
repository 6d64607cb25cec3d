/** The node that a guard asks: reserve before a call goes on, commit or release after it. */
import { CountersignError, errorOf } from '../../../client/error.ts';
import { send } from '../../../client/transport.ts';

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

/** Each @throws CountersignError where the node does not answer, or answers with an error */
export interface ReservationNode {
  reserve(input: ReservationInput): Promise<ReservationGrant | ReservationRefusal>;
  commit(
    mandateId: string,
    told: { readonly amount?: number; readonly evidence: PaymentEvidence },
    key: string,
  ): Promise<unknown>;
  release(mandateId: string, reason: 'not_paid' | 'declined' | 'abandoned', key: string): Promise<unknown>;
}

/** A host that waits for its tool does not wait longer. */
const TRANSPORT = { attempts: 3, timeoutSeconds: 15, maxWaitSeconds: 5 };

export function reservationNode(url: string, apiKey: string): ReservationNode {
  const base = `${url.replace(/\/+$/, '')}/ap2/external/reservations`;
  const post = async (address: string, body: object, key: string): Promise<never> => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const make = async () => ({ url: address, method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await send(TRANSPORT, { make, repeatable: true });
    if (answer.status !== 200) throw errorOf(answer);
    try {
      return JSON.parse(answer.text) as never;
    } catch (cause) {
      throw new CountersignError('INVALID_ANSWER', 'The answer is not the node’s JSON.', {
        status: answer.status,
        cause,
      });
    }
  };
  return {
    reserve: (input) => post(base, input, input.idempotencyKey),
    commit: (mandateId, told, key) => post(`${base}/${encodeURIComponent(mandateId)}/commit`, told, key),
    release: (mandateId, reason, key) => post(`${base}/${encodeURIComponent(mandateId)}/release`, { reason }, key),
  };
}
