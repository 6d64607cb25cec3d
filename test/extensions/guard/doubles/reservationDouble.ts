/** A node's reservations as a guard asks for them: a cap, a person above an amount, and all that was told. */
import { randomBytes } from 'node:crypto';
import { CountersignError } from '../../../../client/error.ts';
import type { ReservationInput, ReservationNode } from '../../../../src/extensions/guard/reservationNode.ts';

export interface Told {
  readonly mandateId: string;
  readonly what: 'commit' | 'release';
  readonly amount?: number;
  readonly reference?: string;
  readonly reason?: string;
}

export class ReservationDouble implements ReservationNode {
  readonly reservations = new Map<string, ReservationInput & { readonly mandateId: string }>();
  readonly told: Told[] = [];
  cap = 100;
  /** Above it a person is asked. */
  askAbove = Number.POSITIVE_INFINITY;
  readonly approved = new Set<string>();
  isAway = false;
  commitsAreLost = false;
  #asked = 0;
  /** Under which it was told, which count once. */
  readonly #keys = new Set<string>();

  get spent(): number {
    return [...this.reservations.values()].reduce((sum, { amount }) => sum + amount, 0);
  }

  async reserve(input: ReservationInput): ReturnType<ReservationNode['reserve']> {
    if (this.isAway) throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0 });
    const known = this.reservations.get(input.idempotencyKey);
    if (known !== undefined) {
      if (known.amount !== input.amount) throw conflict('The key was used with another body.');
      return granted(known.mandateId);
    }
    if (this.spent + input.amount > this.cap) return refused('AMOUNT_OVER_CAP', `${input.amount} is over the cap.`);
    if (input.amount > this.askAbove && !this.approved.has(input.approvalId ?? '')) {
      const id = input.approvalId ?? `apr_${++this.#asked}`;
      return {
        ...refused('HP_REQUIRED', 'A person must approve it.'),
        approval: { id, url: `https://node.example/approve/${id}` },
      };
    }
    const mandateId = `pm_${randomBytes(13).toString('hex')}`;
    this.reservations.set(input.idempotencyKey, { ...input, mandateId });
    return granted(mandateId);
  }

  async commit(...[mandateId, facts, key]: Parameters<ReservationNode['commit']>): Promise<void> {
    const { amount, evidence } = facts;
    if (this.isAway || this.commitsAreLost)
      throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0 });
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const reserved = [...this.reservations.values()].find((each) => each.mandateId === mandateId)?.amount ?? 0;
    const { reference } = evidence;
    this.told.push({ mandateId, what: 'commit', reference, ...(amount === undefined ? {} : { amount }) });
    if ((amount ?? 0) > reserved) throw conflict(`${amount} was paid of the ${reserved} that were reserved.`);
  }

  async release(...[mandateId, reason, key]: Parameters<ReservationNode['release']>): Promise<void> {
    if (this.isAway) throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0 });
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.told.push({ mandateId, what: 'release', reason });
    for (const [key, each] of this.reservations) if (each.mandateId === mandateId) this.reservations.delete(key);
  }
}

function conflict(message: string): CountersignError {
  return new CountersignError('CONFLICT', message, { status: 409 });
}

function granted(mandateId: string) {
  return { allowed: true, mandateId, expiresAt: new Date(Date.now() + 900_000).toISOString() } as const;
}

function refused(code: string, message: string) {
  return { allowed: false, reasonCodes: [code], details: { [code]: { message } } } as const;
}
