/** What is told, in the same commit, of what has happened: named lists, put together with the node. Their order is data. */
import type { Exchange, TaskKind } from '../../protocol/a2a/exchangePart.ts';
import type { Artifact } from '../../protocol/a2a/task.ts';
import type { ApprovalLink, ApprovalStatus } from '../../protocol/approval.ts';
import type { CredentialFormats } from '../../protocol/credential/credentialFormats.ts';
import type { AttentionItem } from '../../protocol/overview/needsPerson.ts';
import type { PaymentRecord, PaymentRequest } from '../../protocol/payment.ts';
import type { Governance } from '../../protocol/principal.ts';
import type { ReasonDetails } from '../../protocol/reason.ts';
import type { PersonNotice } from '../../protocol/webhook/noticeText.ts';
import type { Caller } from '../access/caller.ts';
import type { ApprovalRequestRow } from '../store/statements/people/approvals.ts';
import type { ApprovalTokenRow } from '../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../store/statements/purchases/intents.ts';
import type { PaymentRow } from '../store/statements/purchases/payments.ts';
import type { Script } from '../store/store.ts';
import type { Call } from './call.ts';
import type { Deps, EventDeps } from './deps.ts';
import type { PaymentProtocol } from './paymentProtocol.ts';

/** What the functions of the lists are given, and what it takes to tell them. */
export type HookDeps = EventDeps &
  Pick<Deps, 'keys' | 'memory' | 'newToken' | 'operations' | 'policies' | 'sealer' | 'store' | 'wake'>;

export interface Hooks {
  /** What may refuse a purchase besides the policy. */
  readonly authorizers: readonly Authorizer[];
  /** What a task of standard A2A may begin with; each kind once. */
  readonly exchanges: ReadonlyMap<string, TaskExchange>;
  /** By which protocols a server may ask for money by HTTP. */
  readonly protocols: readonly PaymentProtocol[];
  /** What the lists below, and the record of the change, read of a call. */
  readonly loadsOfCall: readonly ((call: Call) => readonly Script<unknown>[])[];
  /** A new call begins. */
  readonly onOpen: readonly ((deps: HookDeps, call: Call, now: number) => Script<void>)[];
  /** A call waits for a rail, with the payment that it is for. */
  readonly onRailWait: readonly ((deps: HookDeps, call: Call, paymentId: string, now: number) => Script<void>)[];
  /** A call gets the result of an earlier one. */
  readonly onRepeat: readonly ((deps: HookDeps, call: Call, output: unknown, now: number) => Script<void>)[];
  /** A call has its result. */
  readonly onClose: readonly ((deps: HookDeps, call: Call, output: unknown, now: number) => Script<void>)[];
  /** Of the several people whom an approval takes one has approved, and others are to come. */
  readonly afterApprovalStep: readonly ((
    deps: HookDeps,
    request: ApprovalRequestRow,
    link: ApprovalLink,
    now: number,
  ) => Script<void>)[];
  /** An approval was granted or denied, or has expired. */
  readonly afterDecision: readonly ((
    deps: HookDeps,
    request: ApprovalRequestRow,
    status: Exclude<ApprovalStatus, 'pending'>,
    now: number,
  ) => Script<void>)[];
  /** An API key was revoked: ends what else came by it. */
  readonly afterKeyEnd: readonly ((
    deps: EventDeps & Pick<Deps, 'operations'>,
    caller: Caller,
    keyId: string,
    now: number,
  ) => Script<void>)[];
  /** An agent was revoked: ends what it began. */
  readonly afterAgentEnd: readonly ((deps: Pick<Deps, 'wake'>, tenantId: string, agentDid: string) => Script<void>)[];
  /** A payment has changed its state; the payment as it stands then. */
  readonly afterOutcome: readonly ((deps: HookDeps, payment: PaymentRow, now: number) => Script<void>)[];
  /** A person is to be told of something, whatever they have subscribed to. */
  readonly onNotice: readonly ((
    deps: EventDeps,
    reader: NoticeReader,
    notice: PersonNotice,
    now: number,
  ) => Script<void>)[];
  /** By what nothing reaches a person any more, in sentences for that person. */
  readonly silenceOf: readonly ((
    deps: Pick<Deps, 'sealer'>,
    reader: NoticeReader,
    now: number,
  ) => Script<readonly SilentChannel[]>)[];
  /** Tools of others that are not called before a person has looked at them. @param most items that are shown */
  readonly waitingTools: readonly ((tenantId: string, most: number) => Script<WaitingTools>)[];
}

export interface WaitingTools {
  readonly items: readonly Omit<AttentionItem, 'kind'>[];
  /** How many there are in all. */
  readonly count: number;
}

/** The person who is told. */
export interface NoticeReader {
  readonly tenantId: string;
  readonly userId: string;
}

/** What reaches a person no more. */
type SilentChannel = Pick<AttentionItem, 'message' | 'since'>;

/** An exchange that an operation answers. */
export interface OperationExchange<Asked extends Exchange = Exchange> {
  readonly kind: Asked['kind'];
  /** The operation, by its name in the table. Its input is that of the exchange. */
  readonly operation: string;
  /** The kind of task that it begins. */
  readonly task: TaskKind;
  /** The DID of the agent that buys, or the script that finds it. @throws Fault NOT_FOUND where what the exchange names is not the caller's */
  agentOf(deps: Pick<Deps, 'hashToken'>, caller: Caller, asked: Asked): string | Script<string>;
  workOf(asked: Asked): ExchangeWork;
}

/** What a task needs of an exchange for its next steps. */
export interface ExchangeWork {
  /** The cart that is checked, or checked again after the touch. */
  readonly cart?: {
    readonly name: string;
    readonly input: object;
  };
  readonly approvalToken?: string;
  readonly instrument?: string | undefined;
  readonly userAuthorization?: string | undefined;
  /** In which forms the payment hands out its mandate. */
  readonly credentialFormats?: CredentialFormats | undefined;
}

/** What the context of a message holds. */
export interface ExchangeContext {
  /** Undefined where the message names none. */
  readonly id: string | undefined;
  /** What its tasks that were completed handed over, of the newest task first. */
  listArtifacts(): Script<readonly Artifact[]>;
}

/** An exchange in the words of another protocol, which is one of the others by what the context of its message holds. */
interface TranslatedExchange<Asked extends Exchange = Exchange> {
  readonly kind: Asked['kind'];
  /** @throws Fault BAD_REQUEST for what is malformed, or for which the context has nothing */
  translate(
    deps: Pick<Deps, 'hashToken' | 'policies' | 'rails'>,
    caller: Caller,
    context: ExchangeContext,
    asked: Asked,
    now: number,
  ): Script<Translation>;
}

export interface Translation {
  readonly exchange: Exchange;
  /** What the answer says once more in the words of that protocol. */
  readonly echo: Readonly<Record<string, unknown>>;
}

export type TaskExchange = OperationExchange | TranslatedExchange;

/** A row of the list; each is given the exchanges of its own kind alone. */
export function taskExchange<Asked extends Exchange>(
  row: OperationExchange<Asked> | TranslatedExchange<Asked>,
): TaskExchange {
  return row as unknown as TaskExchange;
}

/** An intent that names what it is authorized by. */
export interface AskedAuthorization {
  readonly delegationId: string;
  readonly agentDid: string;
  readonly principalDid: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The domain, where one is named. */
  readonly merchant: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What an authorizer says of an intent. */
export interface IntentAuthorization {
  /** Why it does not allow the intent; empty where it does. */
  readonly reasons: ReasonDetails;
  /** When it ends, in milliseconds since the epoch; null for one that does not. No intent outlives it. */
  readonly expiresAt: number | null;
  /** What the evidence of the intent says of it. */
  readonly evidence: object;
  /** Counts the intent in the commit that allows it. */
  afterAllowed(intent: Omit<IntentRow, 'credential' | 'held_until'>): Script<void>;
}

/** A purchase as it would be paid. */
export interface PricedPurchase {
  readonly amountMinor: number;
  readonly currency: string;
  readonly merchant: string | undefined;
  readonly instrument: string | null;
}

/** What an approved cart says of its payment. */
export interface CartTerms {
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Whether the merchant wants a person to confirm it. */
  readonly confirmed: boolean;
  /** What tells it from other carts where it may be paid once, whichever intent it is for; null for the others. */
  readonly key: string | null;
}

/** A cart that was approved, about to be paid. */
export interface ApprovedPurchase {
  readonly approval: ApprovalTokenRow;
  readonly intent: IntentRow;
  readonly principal: Governance;
}

/**
 * What a purchase may need besides the policy's yes, such as a mandate of the person. It is asked of intents that name one,
 * of all that follows from an intent that has `by_mandate`, and of payments that have that or a `checkout_key`.
 */
export interface Authorizer {
  readonly name: string;
  /** What judgeIntent needs, read with the other facts of the intent. */
  loadForIntent?(tenantId: string, delegationId: string): Script<unknown>;
  /** @returns undefined for what it does not have, or not for this agent */
  judgeIntent?(loaded: unknown, asked: AskedAuthorization): Script<IntentAuthorization | undefined>;
  /** @returns undefined for an intent that is not its own; what every authorizer says that of is refused */
  judgeCart?(intent: IntentRow, purchase: PricedPurchase, now: number): Script<ReasonDetails | undefined>;
  /** @param instrument that the payment names @returns undefined as judgeCart does */
  judgePayment?(
    deps: Pick<Deps, 'rails'>,
    purchase: ApprovedPurchase,
    instrument: string | undefined,
    now: number,
  ): Script<ReasonDetails | undefined>;
  /** Reads an approved cart that is no credential, as it was kept. @returns undefined for one of another form */
  readCart?(deps: Pick<Deps, 'suite'>, cart: object, merchant: string): CartTerms | undefined;
  /** Says why the intent is not to be paid any more. */
  judgeEnd?(intent: IntentRow): Script<ReasonDetails>;
  /** A cart was allowed: the purchase comes to so much from now on. */
  afterCart?(intent: IntentRow, amountMinor: number): Script<void>;
  /** An intent ended without a payment. */
  afterEnd?(intent: IntentRow): Script<void>;
  /** A payment was written, which the rail is not asked for yet. */
  afterPayment?(deps: Pick<Deps, 'newToken'>, payment: PaymentRow, asked: PaymentRequest, now: number): Script<void>;
  /** A payment has changed its state; the payment as it stands then. */
  afterOutcome?(deps: HookDeps, payment: PaymentRow, now: number): Script<void>;
  /** The instrument that must be paid with, by the rail's name of it; undefined where any may. */
  instrumentOf?(intent: IntentRow): Script<string | undefined>;
  /** Adds to the answer of a payment. @param maySpend whether its reader may be shown what buys */
  showPayment?(
    deps: Pick<Deps, 'sealer'>,
    payment: PaymentRow,
    maySpend: boolean,
  ): Script<Partial<Pick<PaymentRecord, 'paymentReceipt' | 'ucp'>>>;
}
