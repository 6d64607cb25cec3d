/**
 * One call of a tool that costs money: an amount is reserved at the node, the call goes on, and what became of it is told. A call whose
 * end is not known stays reserved, and a node that is away lets no call through.
 */
import { CountersignError } from '../../../../client/error.ts';
import { canonicalPlainly } from '../../../../protocol/credential/canonical.ts';
import { withoutCardNumbers } from '../../../../protocol/instrument.ts';
import { formatMoney, fromMinor } from '../../../../protocol/money.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import { type GuardState, type HeldOrder, type StateFile, sha256 } from '../guardState.ts';
import type { CommitFacts, PaymentEvidence, ReservationNode } from '../reservationNode.ts';
import { UnreadableAmount } from '../rules/amount.ts';
import type { ToolRule } from '../rules/guardConfig.ts';
import { textAt } from '../rules/jsonPath.ts';
import { type Continuation, readPurchase, type ToolCall, type ToolPurchase } from '../rules/readCall.ts';
import { type McpToolResult, readResult } from '../rules/readResult.ts';
import { accountOf, contentOf, orderId, untrustedTool } from './callNames.ts';
import { marked, nodeRefusal, nodeText, refusal, unknownEnd, withFault } from './callResults.ts';
import { keepQuestion, questionIn, takeQuestion } from './questions.ts';
import { countRetry, SentCalls } from './sentCalls.ts';

/** The call was forwarded, and the connection broke, or its server answered with an error of the protocol. */
export class NoResult extends Error {}

/** As the server is asked: the result of the tool. @throws NoResult */
type Forward = () => Promise<McpToolResult>;

interface PurchaseDeps {
  readonly node: ReservationNode;
  readonly agentDid: string;
  readonly principalDid: string | undefined;
  readonly state: StateFile;
  readonly now: () => number;
  readonly newKey: () => string;
  /** One line, for who operates the guard. */
  readonly log: (line: string) => void;
}

/** What was reserved for a call, before it goes on. */
interface Reservation {
  readonly mandateId: string;
  readonly reservedMinor: number;
  readonly currency: string;
  readonly merchant: string;
  readonly key: string;
  /** Under which the call itself names the purchase, hashed. */
  readonly named: string | undefined;
  readonly endsAt: number;
}

/** A call that is on its way, or that its client gave up then. */
interface OpenPurchase {
  readonly answer: Promise<McpToolResult>;
  /** Until when the same call gets that answer, in milliseconds since the epoch. */
  until: number;
}

/** PayPal keeps an order for so long. */
const ORDER_SECONDS = 3 * 3600;
/** A call that was given up may be paid still for as long as it is reserved. */
const GIVEN_UP_MS = 900_000;

export class Purchases {
  /** Calls that are on their way, by what is called: the same one again is the same purchase. */
  readonly #open = new Map<string, OpenPurchase>();
  /** Of calls whose reservation was asked for, and not answered. */
  readonly #unansweredKeys = new Map<string, string>();
  /** What was paid under a name that a call gave. */
  readonly #references = new Map<string, string>();
  readonly #deps: PurchaseDeps;
  readonly #sent: SentCalls;

  constructor(deps: PurchaseDeps) {
    this.#deps = deps;
    this.#sent = new SentCalls(deps);
  }

  /** What guards before this one could not tell the node is told. */
  resume(): void {
    this.#sent.resume();
  }

  close(): void {
    this.#sent.close();
  }

  /** @param canceled whether the caller has given it up: once it was sent, what comes back late is told all the same */
  call(rule: ToolRule, call: ToolCall, forward: Forward, canceled: AbortSignal): Promise<McpToolResult> {
    const { log, now } = this.#deps;
    const content = contentOf(call);
    const before = this.#open.get(content);
    if (before !== undefined && before.until > now()) return before.answer;
    let resolve = (_answer: McpToolResult) => {};
    const givenUp = new Promise<McpToolResult>((done) => {
      resolve = done;
    });
    const sent = async ({ mandateId, named }: Reservation) => {
      const giveUp = () => {
        log(`${call.upstream} ${call.name}: canceled after it was sent; ${mandateId} stays reserved`);
        resolve(unknownEnd('The call was canceled after it was sent.', mandateId));
        // A name is one purchase, however often it is sent.
        if (named === undefined) open.until = now() + GIVEN_UP_MS;
        else end();
      };
      canceled.addEventListener('abort', giveUp);
      return forward().finally(() => canceled.removeEventListener('abort', giveUp));
    };
    const bought = this.#buy(rule, call, content, sent, canceled);
    const open: OpenPurchase = { answer: Promise.race([bought, givenUp]), until: Number.POSITIVE_INFINITY };
    const end = () => void (this.#open.get(content) === open && this.#open.delete(content));
    this.#open.set(content, open);
    bought.then(end, end);
    return open.answer;
  }

  async #buy(
    rule: ToolRule,
    call: ToolCall,
    content: string,
    forward: (reserved: Reservation) => Promise<McpToolResult>,
    canceled: AbortSignal,
  ): Promise<McpToolResult> {
    let reservation: Reservation | McpToolResult;
    try {
      reservation = await (rule.completes === undefined
        ? this.#purchaseOf(rule, call, content)
        : this.#orderOf(rule, call, content));
    } catch (error) {
      if (error instanceof UnreadableAmount)
        return refusal(`${error.message} Nothing was sent.`, ['AMOUNT_UNREADABLE']);
      if (error instanceof CountersignError) return refusal(nodeText(error), [error.code]);
      throw error;
    }
    if (!('mandateId' in reservation)) return reservation as McpToolResult;
    const reserved = reservation as Reservation;
    const { mandateId } = reserved;
    if (canceled.aborted) {
      await this.#sent.tell(mandateId, { kind: 'release', reason: 'abandoned' }).fault;
      return refusal('The call was canceled before it was sent.', ['CANCELED']);
    }
    try {
      this.#sent.begin(mandateId);
    } catch (error) {
      const why = (error as Error).message;
      await this.#sent.tell(mandateId, { kind: 'release', reason: 'abandoned' }).fault;
      return refusal(`The guard cannot write what it keeps (${why}). Nothing was sent.`, ['STATE_UNWRITABLE']);
    }
    let result: McpToolResult;
    try {
      result = await forward(reserved);
    } catch (error) {
      this.#sent.drop(mandateId);
      if (!(error instanceof NoResult)) throw error;
      this.#deps.log(`${call.upstream} ${call.name}: ${error.message}; ${mandateId} stays reserved`);
      return unknownEnd(error.message, mandateId);
    }
    try {
      return await this.#settle(rule, call, reserved, result);
    } catch (error) {
      this.#sent.drop(mandateId);
      const why = `what came of ${call.name} cannot be kept (${(error as Error).message}).`;
      this.#deps.log(`${call.upstream} ${call.name}: ${why}`);
      // The client has what its server did all the same.
      return withFault(result, mandateId, `${why} Its reservation is ${mandateId}. Tell the person.`);
    }
  }

  /** What was reserved before its server asked its client, or else anew. @throws UnreadableAmount */
  async #purchaseOf(rule: ToolRule, call: ToolCall, content: string): Promise<Reservation | McpToolResult> {
    const purchase = readPurchase(rule, call.name, call.input);
    const { continues } = call;
    if (continues === undefined) return this.#reserve(rule, call, content, purchase);
    const held = takeQuestion(this.#deps.state, content, continues);
    if (held === undefined && continues.requestState !== undefined) {
      return refusal(
        'This goes on with a call that was not made by way of this guard with these arguments, or that was answered before. Nothing was sent.',
        ['QUESTION_UNKNOWN'],
      );
    }
    // What the call itself names is found at the node by that name.
    const isNamed = this.#nameOf(call, purchase) !== undefined;
    if (isNamed || held?.mandateId === undefined || held.endsAt <= this.#deps.now())
      return this.#reserve(rule, call, content, purchase);
    const { mandateId, reservedMinor, currency, merchant, endsAt } = held;
    return { mandateId, reservedMinor, currency, merchant, key: this.#deps.newKey(), named: undefined, endsAt };
  }

  /** Under which the call itself names the purchase, hashed; undefined where it does not, or its names are not to be trusted. */
  #nameOf(call: ToolCall, { idempotency }: ToolPurchase): string | undefined {
    const { agentDid, state } = this.#deps;
    if (idempotency === undefined || Object.hasOwn(state.read().retries, untrustedTool(call))) return undefined;
    return sha256(canonicalPlainly([agentDid, accountOf(call), call.name, idempotency]));
  }

  /** @returns a refusal where the node refuses @throws CountersignError */
  async #reserve(
    rule: ToolRule,
    call: ToolCall,
    content: string,
    purchase: ToolPurchase,
    isAgain = false,
  ): Promise<Reservation | McpToolResult> {
    const { node, agentDid, principalDid, state, newKey, now } = this.#deps;
    const { amountMinor, currency, merchant, items } = purchase;
    const { approvals, retries } = state.read();
    const named = this.#nameOf(call, purchase);
    const retry = named !== undefined && Object.hasOwn(retries, named) ? `:${retries[named]}` : '';
    const key = named === undefined ? (this.#unansweredKeys.get(content) ?? newKey()) : `${named}${retry}`;
    const approvalId = Object.hasOwn(approvals, content) ? approvals[content]?.id : undefined;
    this.#unansweredKeys.set(content, key);
    const answer = await node.reserve({
      agentDid,
      ...(principalDid === undefined ? {} : { principalDid }),
      merchant,
      amount: fromMinor(amountMinor, currency),
      currency,
      ...(items === undefined ? {} : { items }),
      ...compact({ mcc: rule.mcc, country: rule.country }),
      channel: rule.channel ?? 'other',
      ...(rule.holds === true ? { expiresIn: ORDER_SECONDS } : {}),
      ...(approvalId === undefined ? {} : { approvalId }),
      enforcement: 'proxy',
      idempotencyKey: key,
    });
    this.#unansweredKeys.delete(content);
    const asked = answer.allowed ? undefined : answer.approval?.id;
    if (asked !== approvalId) {
      state.change(({ approvals: all }) => {
        delete all[content];
        if (asked !== undefined) all[content] = { id: asked, askedAt: now() };
      });
    }
    if (!answer.allowed) return nodeRefusal(answer);
    const { mandateId, expiresAt } = answer;
    const endsAt = Date.parse(expiresAt);
    if (named !== undefined && endsAt <= now() && !this.#references.has(key) && !isAgain) {
      // An earlier one of this name, which may be free again by now: this one is judged anew. Once: the node's clock may be behind.
      this.#retry(named);
      return this.#reserve(rule, call, content, purchase, true);
    }
    return { mandateId, reservedMinor: amountMinor, currency, merchant, key, named, endsAt };
  }

  /** Of an order that another tool has made: what is paid was reserved then. */
  async #orderOf(rule: ToolRule, call: ToolCall, content: string): Promise<Reservation | McpToolResult> {
    const name = textAt(call.input, rule.completes as string) ?? '';
    const orders = this.#deps.state.read().orders;
    const id = orderId(call, name);
    const order = Object.hasOwn(orders, id) ? orders[id] : undefined;
    if (order === undefined) {
      return refusal(
        `Nothing was reserved for the order ${inertText(name).slice(0, 80)}: make it by way of this guard, then pay it.`,
        ['ORDER_UNKNOWN'],
      );
    }
    const { mandateId, amountMinor, reservedMinor, currency, merchant, endsAt } = order;
    if (mandateId === undefined || endsAt <= this.#deps.now()) {
      const again = await this.#reserve(rule, call, content, { amountMinor, currency, merchant });
      if ('mandateId' in again) {
        const { mandateId: another, endsAt: until, reservedMinor: held } = again as Reservation;
        this.#keepOrder(id, { ...order, mandateId: another, endsAt: until, reservedMinor: held });
      }
      return again;
    }
    if (amountMinor > reservedMinor) {
      const [costs, reserved] = [formatMoney(amountMinor, currency), formatMoney(reservedMinor, currency)];
      return refusal(
        `The order costs ${costs}, and its items came to ${reserved}: only that is reserved.`,
        ['AMOUNT_OVER_CAP'],
        { mandateId },
      );
    }
    return {
      mandateId,
      reservedMinor,
      currency,
      merchant,
      key: sha256(`${id} ${mandateId}`),
      named: undefined,
      endsAt,
    };
  }

  async #settle(rule: ToolRule, call: ToolCall, reserved: Reservation, result: McpToolResult): Promise<McpToolResult> {
    const { log } = this.#deps;
    const { mandateId, key, currency, reservedMinor, named } = reserved;
    const question = questionIn(result);
    if (question !== undefined) return this.#asked(call, reserved, result, question);
    const outcome = readResult(rule, result, currency);
    const orderName = rule.completes === undefined ? undefined : textAt(call.input, rule.completes);
    const order = orderName === undefined ? undefined : orderId(call, orderName);
    if (outcome.kind === 'unknown') {
      this.#sent.drop(mandateId);
      log(`${call.upstream} ${call.name}: neither paid nor failed; ${mandateId} stays reserved`);
      return marked(result, { mandateId, status: 'unknown' });
    }
    if (outcome.kind === 'failed') {
      const more = (state: GuardState) => {
        if (named !== undefined) countRetry(state, named);
        if (order !== undefined) delete state.orders[order]?.mandateId;
      };
      await this.#sent.tell(mandateId, { kind: 'release', reason: 'declined' }, { more }).fault;
      return marked(result, { mandateId, status: 'released' });
    }
    const paidMinor = outcome.amountMinor ?? reservedMinor;
    if (rule.holds === true) {
      const { merchant, endsAt } = reserved;
      const held = { mandateId, endsAt, reservedMinor, amountMinor: paidMinor, currency, merchant };
      this.#keepOrder(orderId(call, outcome.reference), held);
      this.#sent.drop(mandateId);
      return marked(result, { mandateId, status: 'reserved' });
    }
    const evidence: PaymentEvidence = {
      kind: 'confirmation',
      sha256: sha256(JSON.stringify([call.upstream, call.name, result])),
      // A long number may look like a card's, which the node refuses.
      reference: withoutCardNumbers(outcome.reference.slice(0, 200)),
      occurredAt: new Date(this.#deps.now()).toISOString(),
    };
    const paid = {
      ...(outcome.amountMinor === undefined ? {} : { amount: fromMinor(outcome.amountMinor, currency) }),
      evidence,
    };
    const before = this.#references.get(key) ?? this.#sent.referenceOf(mandateId);
    if (before !== undefined && before !== evidence.reference)
      return this.#recordSecond(rule, call, reserved, { paid, result });
    this.#references.set(key, evidence.reference);
    if (before !== undefined) {
      this.#sent.drop(mandateId);
      if (order !== undefined) this.#keepOrder(order, undefined);
      return marked(result, { mandateId, status: 'paid' });
    }
    const more = (state: GuardState) => {
      if (order !== undefined) delete state.orders[order];
    };
    const told = this.#sent.tell(mandateId, { kind: 'commit', ...paid }, { named, more });
    // What was reserved is held until the node has it: the client waits only where the node has something to say.
    if (paidMinor <= reservedMinor) return marked(result, { mandateId, status: 'paid' });
    const fault = await told.fault;
    return fault === undefined ? marked(result, { mandateId, status: 'paid' }) : withFault(result, mandateId, fault);
  }

  /** Its server asks the client first: what was reserved waits for the answers. */
  #asked(call: ToolCall, reserved: Reservation, result: McpToolResult, question: Continuation): McpToolResult {
    const { mandateId, endsAt, reservedMinor, currency, merchant } = reserved;
    const held = { mandateId, endsAt, reservedMinor, amountMinor: reservedMinor, currency, merchant };
    keepQuestion(this.#deps.state, contentOf(call), question, held);
    this.#sent.drop(mandateId);
    return marked(result, { mandateId, status: 'reserved' });
  }

  /**
   * Its server took one name for two purchases. The second was reserved by nothing, and is recorded now, if the policy lets it; names that
   * are given to this tool count no more.
   */
  async #recordSecond(
    rule: ToolRule,
    call: ToolCall,
    { mandateId: first, reservedMinor, currency, merchant }: Reservation,
    { paid, result }: { readonly paid: CommitFacts; readonly result: McpToolResult },
  ): Promise<McpToolResult> {
    this.#sent.drop(first);
    this.#retry(untrustedTool(call));
    const twice = `${call.name} was paid twice under one name, first as ${first}.`;
    const lost = `${twice} This one is not recorded. Tell the person.`;
    this.#deps.log(`${call.upstream} ${twice}`);
    try {
      const purchase = { amountMinor: reservedMinor, currency, merchant };
      const second = await this.#reserve(rule, call, `${contentOf(call)} second`, purchase);
      if (!('mandateId' in second)) return withFault(result, first, lost);
      const { mandateId } = second as Reservation;
      const { fault } = this.#sent.tell(mandateId, { kind: 'commit', ...paid });
      return withFault(result, mandateId, (await fault) ?? twice);
    } catch (error) {
      if (error instanceof CountersignError) return withFault(result, first, lost);
      throw error;
    }
  }

  #retry(named: string): void {
    this.#deps.state.change((state) => countRetry(state, named));
  }

  #keepOrder(id: string, order: HeldOrder | undefined): void {
    this.#deps.state.change(({ orders }) => {
      delete orders[id];
      if (order !== undefined) orders[id] = order;
    });
  }
}
