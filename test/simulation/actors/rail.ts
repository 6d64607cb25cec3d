/**
 * The card rail of the world: an account book of its own, which does each attempt once, however often it is asked. Its answers
 * get lost, come late, or say nothing, and it posts notices of what it did, before its answer as well, twice, and out of order.
 */
import type { DisputeStatus } from '../../../protocol/payment.ts';
import type { RailEvent } from '../../../src/rails/notice.ts';
import type {
  Rail,
  RailAttempt,
  RailOperationName,
  RailOutcome,
  RailRequest,
  RailSnapshot,
} from '../../../src/rails/rail.ts';
import type { Happening, RailBalance } from '../history.ts';
import type { Chance } from '../machine/chance.ts';
import type { EventLoop, Owner } from '../machine/eventLoop.ts';
import { ALL, CALM, type Done, exchange, type RailMood } from './railLine.ts';

/** How long a hold lasts. */
const HOLD_MS = 7 * 24 * 3_600_000;
/** How long the rail remembers a key. */
const KEY_MS = 24 * 3_600_000;

/** Of so many captures in a thousand a card holder disputes something. */
const DISPUTED = 300;

/** What a dispute becomes, one after the other. */
type DisputeStep = readonly [status: DisputeStatus, reopens?: 'reopens'];

interface Account {
  readonly railId: string;
  readonly mandateId: string;
  readonly currency: string;
  readonly holdUntil: number;
  state: RailSnapshot['state'];
  authorizedMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  readonly disputes: { readonly id: string; readonly amountMinor: number; status: DisputeStatus }[];
}

interface Effect {
  readonly outcome: RailOutcome;
  readonly asked: string;
  readonly at: number;
}

export interface RailOptions {
  readonly loop: EventLoop;
  readonly chance: Chance;
  tell(happening: Happening): void;
  /** At which place a process runs. */
  placeOf(owner: Owner): number;
  /** Posts a notice to some node. */
  notify(event: RailEvent): void;
  /** Decides what card holders dispute; none does where it is not given. */
  readonly disputes?: Chance | undefined;
}

export class CardRail {
  readonly #options: RailOptions;
  readonly #owner: Owner;
  readonly #accounts = new Map<string, Account>();
  readonly #done = new Map<string, Effect>();
  /** Payments that have changed here since the node asked. */
  #touched = new Set<string>();
  #events = 0;
  #opened = 0;
  #disputing = 0;
  mood: RailMood = CALM;

  constructor(options: RailOptions) {
    this.#options = options;
    this.#owner = options.loop.newOwner('the rail');
  }

  /** Whether nothing comes from it at present, notices neither. */
  get isSilent(): boolean {
    return this.mood.mute === ALL || this.mood.deaf === ALL;
  }

  /** Whether something becomes of a dispute yet. */
  get isDisputing(): boolean {
    return this.#disputing > 0;
  }

  /** What the process that acts at present uses. */
  connect(id: string): Rail {
    const node = this.#options.loop.current;
    const operation = (name: RailOperationName) => (key: string, request: RailRequest) =>
      this.#exchange(node, () => this.#act(node, name, key, request));
    return {
      id,
      capabilities: { partialCapture: true, partialRefund: true },
      authorize: operation('authorize'),
      capture: operation('capture'),
      cancel: operation('cancel'),
      refund: operation('refund'),
      status: (attempt) => this.#exchange(node, () => this.#find(node, attempt)),
      accepts: () => true,
      snapshot: (railId) => this.#exchange(node, () => ({ answer: this.#snapshot(railId), note: () => {} })),
    };
  }

  /** @returns what each payment is here */
  get balances(): readonly RailBalance[] {
    return [...this.#accounts.values()].map(balanceOf);
  }

  /** @returns what some payments are here */
  balancesOf(payments: ReadonlySet<string>): readonly RailBalance[] {
    return [...this.#accounts.values()].filter(({ mandateId }) => payments.has(mandateId)).map(balanceOf);
  }

  /** @returns the payments that have changed here since this was asked last */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Drops what was held before a moment, which is not asked about any more, in milliseconds since the epoch. */
  forget(before: number): void {
    for (const [id, { holdUntil }] of this.#accounts) if (holdUntil - HOLD_MS < before) this.#accounts.delete(id);
    for (const [key, { at }] of this.#done) if (at < before) this.#done.delete(key);
  }

  #exchange<Answer>(node: Owner, work: () => Done<Answer>): Promise<Answer> {
    const { loop, chance } = this.#options;
    return exchange({ loop, chance, mood: this.mood, owner: this.#owner }, node, work);
  }

  #act(node: Owner, operation: RailOperationName, key: string, request: RailRequest) {
    const { loop } = this.#options;
    const asked = JSON.stringify([operation, request]);
    const before = this.#done.get(key);
    const isKnown = before !== undefined && before.at > loop.time - KEY_MS;
    const outcome = isKnown ? this.#again(before, asked) : this.#do(operation, request);
    if (!isKnown) this.#done.set(key, { outcome, asked, at: loop.time });
    const did = outcome.kind !== 'ok' ? 'declined' : isKnown ? 'again' : 'created';
    const note = (told: boolean) => this.#tell(node, { operation, key, request, did, told });
    return { answer: outcome, note };
  }

  #again(before: Effect, asked: string): RailOutcome {
    if (before.asked === asked) return before.outcome;
    return { kind: 'declined', code: 'idempotency_error', message: 'This key was used for another request.' };
  }

  #find(node: Owner, { key, operation, request }: RailAttempt) {
    const found = this.#done.get(key)?.outcome;
    const note = (told: boolean) => this.#tell(node, { operation: 'find', key, request, did: 'nothing', told });
    void operation;
    return { answer: found, note };
  }

  #tell(
    node: Owner,
    act: {
      readonly operation: string;
      readonly key: string;
      readonly request: RailRequest;
      readonly did: 'created' | 'again' | 'declined' | 'nothing';
      readonly told: boolean;
    },
  ): void {
    const { loop, tell, placeOf } = this.#options;
    const { operation, key, request, did, told } = act;
    const { mandateId: payment, amountMinor, currency } = request;
    tell({
      at: loop.time,
      kind: 'rail',
      node: placeOf(node),
      operation,
      key,
      payment,
      amountMinor,
      currency,
      did,
      told,
    });
  }

  #do(operation: RailOperationName, request: RailRequest): RailOutcome {
    const { chance } = this.#options;
    if (operation === 'authorize') return this.#authorize(request);
    const account = this.#accounts.get(request.railId ?? '');
    if (account === undefined) return declined('resource_missing', 'There is no such payment.');
    if (operation !== 'cancel' && chance.permille(this.mood.declining)) return declined('processing_error', 'Not now.');
    if (operation === 'capture') return this.#capture(account, request.amountMinor);
    if (operation === 'cancel') return this.#cancel(account);
    return this.#refund(account, request.amountMinor);
  }

  #authorize({ mandateId, amountMinor, currency }: RailRequest): RailOutcome {
    const { loop, chance } = this.#options;
    if (chance.permille(this.mood.declining)) return declined('card_declined', 'The card was declined.');
    this.#opened += 1;
    const railId = `pi_${this.#opened}_${chance.bytes(6).toString('hex')}`;
    const holdUntil = Math.floor(loop.time) + HOLD_MS;
    const account: Account = {
      railId,
      mandateId,
      currency,
      holdUntil,
      state: 'authorized',
      authorizedMinor: amountMinor,
      capturedMinor: 0,
      refundedMinor: 0,
      disputes: [],
    };
    this.#accounts.set(railId, account);
    this.#announce(account);
    return { kind: 'ok', railId, status: 'requires_capture', holdUntil };
  }

  #capture(account: Account, amountMinor: number): RailOutcome {
    if (account.state !== 'authorized') return declined('unexpected_state', `It is ${account.state}.`);
    if (amountMinor > account.authorizedMinor) return declined('amount_too_large', 'More than is held.');
    account.state = 'captured';
    account.capturedMinor = amountMinor;
    this.#announce(account);
    this.#letDispute(account);
    return { kind: 'ok', railId: account.railId, status: 'succeeded', refundedMinor: 0 };
  }

  /** Card holders dispute parts of what was captured, at one time or soon after each other. */
  #letDispute(account: Account): void {
    const dice = this.#options.disputes;
    if (dice?.permille(DISPUTED) !== true) return;
    let left = account.capturedMinor;
    for (let more = dice.between(1, 3); more > 0 && left > 0; more -= 1) {
      const amountMinor = dice.between(1, left);
      left -= amountMinor;
      const dispute = { id: `dp_${account.railId}_${more}`, amountMinor, status: 'inquiry' as DisputeStatus };
      this.#become(account, dispute, stepsOf(dice), dice);
    }
  }

  #become(account: Account, dispute: Account['disputes'][number], steps: readonly DisputeStep[], dice: Chance): void {
    const [step, ...later] = steps;
    if (step === undefined) return;
    const [status, reopens] = step;
    this.#disputing += 1;
    this.#options.loop.schedule(this.#owner, dice.of([500, 2000, 10_000]), 'dispute', () => {
      this.#disputing -= 1;
      dispute.status = status;
      if (!account.disputes.includes(dispute)) account.disputes.push(dispute);
      this.#announceDispute(account, dispute, reopens !== undefined);
      this.#become(account, dispute, later, dice);
    });
  }

  #announceDispute({ railId, mandateId, currency }: Account, dispute: Account['disputes'][number], reopens: boolean) {
    const { id: disputeId, amountMinor, status } = dispute;
    this.#events += 1;
    this.#touched.add(mandateId);
    const said = { amountMinor, currency, reason: 'fraudulent', status, reopens, dueBy: undefined };
    const notice = { kind: 'dispute', railId, disputeId, ...said } as const;
    const createdAt = Math.floor(this.#options.loop.time);
    this.#options.notify({ id: `evt_${this.#events}`, type: 'dispute', createdAt, notice });
  }

  #cancel(account: Account): RailOutcome {
    if (account.state === 'captured') return declined('unexpected_state', 'It is captured.');
    account.state = 'canceled';
    this.#announce(account);
    return { kind: 'ok', railId: account.railId, status: 'canceled' };
  }

  #refund(account: Account, amountMinor: number): RailOutcome {
    const left = account.capturedMinor - account.refundedMinor;
    if (account.state !== 'captured' || amountMinor > left) return declined('amount_too_large', 'More than is left.');
    account.refundedMinor += amountMinor;
    this.#announce(account);
    const { railId, refundedMinor } = account;
    return { kind: 'ok', railId, status: 'succeeded', refundedMinor };
  }

  #snapshot(railId: string): RailSnapshot | undefined {
    const account = this.#accounts.get(railId);
    if (account === undefined) return undefined;
    const { mandateId, state, capturedMinor, refundedMinor, holdUntil } = account;
    return { railId, mandateId, state, capturedMinor, refundedMinor, holdUntil };
  }

  #announce(account: Account): void {
    const snapshot = this.#snapshot(account.railId);
    if (snapshot === undefined) return;
    this.#events += 1;
    this.#touched.add(account.mandateId);
    const event: RailEvent = {
      id: `evt_${this.#events}`,
      type: `payment.${snapshot.state}`,
      notice: { kind: 'payment', snapshot },
    };
    this.#options.notify(event);
  }
}

function balanceOf(account: Account): RailBalance {
  return {
    payment: account.mandateId,
    authorizedMinor: account.authorizedMinor,
    capturedMinor: account.capturedMinor,
    refundedMinor: account.refundedMinor,
    cancelled: account.state === 'canceled',
    currency: account.currency,
    disputes: account.disputes.map((dispute) => ({ ...dispute })),
  };
}

/** A question may come before; of those that are lost some are appealed. */
function stepsOf(dice: Chance): DisputeStep[] {
  const asked: DisputeStep[] = dice.permille(300) ? [['inquiry']] : [];
  if (asked.length > 0 && dice.permille(400)) return [...asked, ['inquiry_closed']];
  const open: DisputeStep[] = [
    ...asked,
    ['needs_response'],
    ...(dice.permille(500) ? [['under_review'] as const] : []),
  ];
  if (dice.permille(200)) return open;
  if (dice.permille(400)) return [...open, ['won']];
  const lost: DisputeStep[] = [...open, ['lost']];
  return dice.permille(600) ? lost : [...lost, ['needs_response', 'reopens'], [dice.of(['won', 'lost'])]];
}

function declined(code: string, message: string): RailOutcome {
  return { kind: 'declined', code, message };
}
