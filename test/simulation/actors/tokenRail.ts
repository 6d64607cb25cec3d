/**
 * The rail of shared payment tokens of the world: it makes a token for one payee under a key, once, however often it is asked, and
 * revokes it; a merchant takes money with it, whole or in parts, until it ends. The line to it is that of the card rail.
 */
import type { RailEvent } from '../../../src/rails/notice.ts';
import type { Rail, RailAttempt, RailOperationName, RailOutcome, RailRequest } from '../../../src/rails/rail.ts';
import type { Happening, RailBalance } from '../history.ts';
import type { Chance } from '../machine/chance.ts';
import type { EventLoop, Owner } from '../machine/eventLoop.ts';
import { type Done, exchange, type RailMood } from './railLine.ts';

/** How long a node goes on to hold the amount after the token's end, in milliseconds. */
const GRACE_MS = 60_000;

interface Token {
  readonly id: string;
  readonly mandateId: string;
  readonly payee: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly endsAt: number;
  capturedMinor: number;
  isRevoked: boolean;
  /** Whether its merchant has said that it took the money, and has not. */
  isClaimed: boolean;
}

export interface TokenRailOptions {
  readonly loop: EventLoop;
  readonly chance: Chance;
  /** Of the service: it is that of the card rail. */
  readonly mood: () => RailMood;
  tell(happening: Happening): void;
  /** At which place a process runs. */
  placeOf(owner: Owner): number;
  /** Posts a notice to some node. */
  notify(event: RailEvent): void;
}

/** What a merchant asks of a token. */
export interface Charge {
  readonly token: string;
  readonly payee: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export class TokenRail {
  readonly #options: TokenRailOptions;
  readonly #owner: Owner;
  readonly #tokens = new Map<string, Token>();
  readonly #done = new Map<string, { readonly asked: string; readonly outcome: RailOutcome }>();
  #events = 0;
  #charges = 0;

  constructor(options: TokenRailOptions) {
    this.#options = options;
    this.#owner = options.loop.newOwner('the rail of tokens');
  }

  /** What the process that acts at present uses. */
  connect(id: string): Rail {
    const node = this.#options.loop.current;
    const operation = (name: 'authorize' | 'cancel') => (key: string, request: RailRequest) =>
      this.#exchange(node, () => this.#act(node, name, key, request));
    const refuse = async () => declined('merchant_captures', 'The merchant takes the money, and gives it back.');
    return {
      id,
      gate: { cancels: true },
      capabilities: { partialCapture: false, partialRefund: false },
      authorize: operation('authorize'),
      capture: refuse,
      refund: refuse,
      cancel: operation('cancel'),
      // A token whose answer was lost is found by nothing else than its key.
      status: async ({ operation: name, request }: RailAttempt) =>
        name === 'cancel' ? this.#exchange(node, () => quietly(this.#endOf(request))) : undefined,
      accepts: () => true,
      snapshot: (railId, _signal, credential) =>
        this.#exchange(node, () => quietly(this.#snapshot(railId, credential))),
    };
  }

  /** @returns what each payment is here */
  get balances(): readonly RailBalance[] {
    return [...this.#tokens.values()].map((token) => ({
      payment: token.mandateId,
      authorizedMinor: token.amountMinor,
      capturedMinor: token.capturedMinor,
      refundedMinor: 0,
      cancelled: this.#isOver(token) && token.capturedMinor === 0,
      currency: token.currency,
      isClaimed: token.isClaimed,
    }));
  }

  /** A merchant takes money. @returns the rail's name of it; undefined where it is refused */
  charge({ token: id, payee, amountMinor, currency }: Charge): string | undefined {
    const token = this.#tokens.get(id);
    if (token === undefined || this.#isOver(token) || token.payee !== payee || token.currency !== currency)
      return undefined;
    if (token.capturedMinor + amountMinor > token.amountMinor) return undefined;
    token.capturedMinor += amountMinor;
    this.#charges += 1;
    const reference = `pi_taken_${this.#charges}`;
    this.#tell(-1, { operation: 'capture', key: reference, token, amountMinor, did: 'created', told: true });
    this.#events += 1;
    this.#options.notify({
      id: `evt_token_${this.#events}`,
      type: 'shared_payment.issued_token.used',
      notice: { kind: 'token', tokenId: id, change: 'used', railId: reference },
    });
    return reference;
  }

  /** A merchant gives out a receipt for what it did not take. */
  claim(id: string): void {
    const token = this.#tokens.get(id);
    if (token !== undefined) token.isClaimed = true;
  }

  #exchange<Answer>(node: Owner, work: () => Done<Answer>): Promise<Answer> {
    const { loop, chance, mood } = this.#options;
    return exchange({ loop, chance, mood: mood(), owner: this.#owner }, node, work);
  }

  #act(node: Owner, operation: 'authorize' | 'cancel', key: string, request: RailRequest): Done<RailOutcome> {
    const asked = JSON.stringify([operation, request]);
    const before = this.#done.get(key);
    const outcome = before === undefined ? this.#do(operation, request) : again(before, asked);
    if (before === undefined) this.#done.set(key, { asked, outcome });
    const did = outcome.kind !== 'ok' ? 'declined' : before === undefined ? 'created' : 'again';
    const token = this.#tokens.get(String('credential' in outcome ? outcome.credential : request.credential));
    const { payee, amountMinor, currency, mandateId } = request;
    const about = token ?? { mandateId, payee, currency, endsAt: undefined };
    const note = (told: boolean) =>
      this.#tell(this.#options.placeOf(node), { operation, key, token: about, amountMinor, did, told });
    return { answer: outcome, note };
  }

  #do(operation: 'authorize' | 'cancel', request: RailRequest): RailOutcome {
    return operation === 'authorize' ? this.#issue(request) : this.#revoke(request);
  }

  #issue({ mandateId, amountMinor, currency, payee = 'no payee', expiresAt = 0 }: RailRequest): RailOutcome {
    const { loop, chance, mood } = this.#options;
    if (chance.permille(mood().declining)) return declined('card_declined', 'The card was declined.');
    const endsAt = Math.ceil(expiresAt / 1000) * 1000;
    if (endsAt <= loop.time) return declined('parameter_invalid', 'A token has to end later than now.');
    const id = `spt_${chance.bytes(12).toString('hex')}`;
    const own = { id, mandateId, payee, amountMinor, currency, endsAt };
    this.#tokens.set(id, { ...own, capturedMinor: 0, isRevoked: false, isClaimed: false });
    return { kind: 'ok', railId: mandateId, status: 'token_issued', credential: id, holdUntil: expiresAt + GRACE_MS };
  }

  #revoke(request: RailRequest): RailOutcome {
    const token = this.#tokens.get(String(request.credential));
    if (token !== undefined && !this.#isOver(token)) token.isRevoked = true;
    return this.#endOf(request);
  }

  /** Only a token that has ended and took nothing is canceled. */
  #endOf({ credential, mandateId }: RailRequest): RailOutcome {
    const token = this.#tokens.get(String(credential));
    if (token !== undefined && token.capturedMinor > 0) return declined('token_consumed', 'Money was taken with it.');
    if (token !== undefined && !this.#isOver(token)) return { kind: 'unknown', reason: 'The token is active.' };
    return { kind: 'ok', railId: mandateId, status: 'canceled' };
  }

  #snapshot(railId: string, credential: string | undefined) {
    const token = this.#tokens.get(String(credential));
    if (token === undefined) return undefined;
    const { capturedMinor, amountMinor, endsAt } = token;
    const holdUntil = endsAt + GRACE_MS;
    if (!this.#isOver(token) && capturedMinor < amountMinor)
      return { railId, state: 'authorized' as const, capturedMinor, holdUntil };
    return {
      railId,
      state: capturedMinor > 0 ? ('captured' as const) : ('canceled' as const),
      capturedMinor,
      holdUntil,
    };
  }

  #isOver({ isRevoked, endsAt }: Token): boolean {
    return isRevoked || endsAt <= this.#options.loop.time;
  }

  #tell(
    node: number,
    act: {
      readonly operation: RailOperationName;
      readonly key: string;
      readonly token: Pick<Token, 'currency' | 'mandateId'> & {
        readonly payee?: string | undefined;
        readonly endsAt?: number | undefined;
      };
      readonly amountMinor: number;
      readonly did: 'created' | 'again' | 'declined';
      readonly told: boolean;
    },
  ): void {
    const { loop, tell } = this.#options;
    const { token, ...facts } = act;
    const { mandateId: payment, currency, payee, endsAt } = token;
    const made = { ...(payee !== undefined && { payee }), ...(endsAt !== undefined && { endsAt }) };
    tell({ at: loop.time, kind: 'rail', node, ...facts, payment, currency, ...made });
  }
}

/** A look changes nothing, and no one is told of it. */
function quietly<Answer>(answer: Answer): Done<Answer> {
  return { answer, note: () => {} };
}

function again(before: { readonly asked: string; readonly outcome: RailOutcome }, asked: string): RailOutcome {
  if (before.asked === asked) return before.outcome;
  return declined('idempotency_error', 'This key was used for another request.');
}

function declined(code: string, message: string): Extract<RailOutcome, { kind: 'declined' }> {
  return { kind: 'declined', code, message };
}
