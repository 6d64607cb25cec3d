/**
 * What a node of a simulated year keeps: ids of each day are remembered, and asked for again when their time is nearly over, once it
 * is over, and at the end of the year. The oracle says of each answer whether it is right (oracle/retentionLaw.ts).
 */
import type { Loose } from '../../support/world.ts';
import type { Books } from '../history.ts';
import type { Office } from './office.ts';

/** Housekeeping comes at a start, once a week, and so a row may stay for some days longer. */
const LATE_DAYS = 10;

/** One thing that can be asked for. */
interface Remembered {
  readonly call: string;
  readonly path: string;
  readonly named: { readonly [name: string]: string };
  /** Days on which it is asked for. */
  readonly days: readonly number[];
}

/** An event of each day, whose proof is asked for at the end of the year. */
interface KeptEvent {
  readonly seq: number;
  readonly transactionId: string | undefined;
}

export class Memory {
  readonly #office: Office;
  #remembered: Remembered[] = [];
  readonly #events: KeptEvent[] = [];
  readonly #sizes: number[] = [];
  #day = 0;

  constructor(office: Office) {
    this.#office = office;
  }

  /** Takes something of what the books of a day have. */
  keep({ deliveries, intents, payments, events, checkpoints }: Books): void {
    const [delivery] = deliveries as Loose[];
    const [intent] = intents as Loose[];
    const [payment] = payments as Loose[];
    if (delivery !== undefined)
      this.#remember('getWebhookLog', '/ap2/admin/webhooks/logs/', { id: delivery.id }, [29, 30 + LATE_DAYS]);
    if (intent !== undefined) this.#remember('getIntent', '/ap2/intents/', { mandateId: intent.mandateId }, [100, 300]);
    if (payment !== undefined)
      this.#remember('getPayment', '/ap2/payments/', { mandateId: payment.mandateId }, [100, 300]);
    const asked = (events as Loose[]).find(({ eventType }) => eventType === 'APPROVAL_REQUESTED');
    if (asked !== undefined)
      this.#remember('getApproval', '/ap2/approvals/', { id: asked.data.approvalId }, [88, 90 + LATE_DAYS]);
    const event = (events as Loose[]).find(({ eventType }) => eventType === 'PM_ISSUED') ?? (events as Loose[])[0];
    if (event !== undefined) this.#events.push({ seq: event.seq, transactionId: event.data.transactionId });
    const note = checkpoints.at(-1);
    if (note !== undefined) this.#sizes.push(Number(note.split('\n')[1]));
  }

  /** Asks for what is due on a day, opens a session, and asks for those of days before. */
  async compare(day: number): Promise<void> {
    this.#day = day;
    const contextId = `context-${day}`;
    const worker = this.#office.chance.of(this.#office.workers);
    const { did } = worker.peer;
    const input = { contextId, agentDid: did, userDid: String(this.#office.principals[1]?.did) };
    const made = await worker.desk.rest({ call: 'createSession', route: ['POST', '/a2a/sessions'], input });
    if (made?.status === 201)
      this.#remember('getSession', '/a2a/sessions/', { contextId, agentDid: did }, [29, 30 + LATE_DAYS]);
    const due = this.#remembered.filter(({ days }) => days.includes(day));
    this.#remembered = this.#remembered.filter(({ days }) => (days.at(-1) ?? 0) > day);
    for (const each of due) await this.#ask(each);
  }

  /** At the end of the year: what is kept for ever is there, and each old checkpoint and event is in the chain of today. */
  async compareAll(): Promise<void> {
    const { desk } = this.#office;
    const size = this.#sizes.at(-1);
    if (size === undefined) return;
    for (const from of this.#sizes) {
      const route = ['GET', `/ap2/evidence/checkpoints/${size}/consistency?from=${from}`] as const;
      await desk.rest({ call: 'proveConsistency', route, input: {}, named: { size, from } });
    }
    for (const { seq, transactionId } of this.#events.filter(({ seq }) => seq <= size)) {
      const route = ['GET', `/ap2/evidence/checkpoints/${size}/inclusion/${seq}`] as const;
      await desk.rest({ call: 'proveInclusion', route, input: {}, named: { size, seq } });
      if (transactionId === undefined) continue;
      const bundle = ['GET', `/ap2/evidence/bundle/${transactionId}`] as const;
      await desk.rest({ call: 'evidenceBundle', route: bundle, input: {}, named: { transactionId, seq } });
    }
    this.#office.count('old checkpoints proven', this.#sizes.length);
    this.#office.count('old events proven', this.#events.length);
  }

  #remember(call: string, path: string, named: { readonly [name: string]: string }, after: readonly number[]): void {
    const [id] = Object.values(named);
    const days = after.map((each) => this.#day + each);
    this.#remembered.push({ call, path: `${path}${id}`, named, days });
  }

  async #ask({ call, path, named }: Remembered): Promise<void> {
    const query = call === 'getSession' ? `?agentDid=${encodeURIComponent(String(named['agentDid']))}` : '';
    await this.#office.desk.rest({ call, route: ['GET', `${path}${query}`], input: {}, named });
    this.#office.count(`asked again: ${call}`);
  }
}
