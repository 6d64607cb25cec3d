/** What is told, in the same commit, of what has happened: named lists, put together with the node. Their order is data. */
import type { Exchange, TaskKind } from '../../protocol/a2a/exchangePart.ts';
import type { ApprovalLink, ApprovalStatus } from '../../protocol/approval.ts';
import type { Caller } from '../access/caller.ts';
import type { ApprovalRequestRow } from '../store/statements/people/approvals.ts';
import type { PaymentRow } from '../store/statements/purchases/payments.ts';
import type { Script } from '../store/store.ts';
import type { Call } from './call.ts';
import type { Deps, EventDeps } from './deps.ts';

/** What the functions of the lists are given. */
type ToldDeps = EventDeps &
  Pick<Deps, 'newToken' | 'policies' | 'receiptSigner' | 'sealer' | 'statusLists' | 'store' | 'tasks'>;

/** What it takes to tell the lists. */
export type HookDeps = ToldDeps & Pick<Deps, 'hooks'>;

export interface Hooks {
  /** What a task of standard A2A may begin with; each kind once. */
  readonly exchanges: ReadonlyMap<string, TaskExchange>;
  /** What the lists below, and the record of the change, read of a call. */
  readonly loadsOfCall: readonly ((call: Call) => readonly Script<unknown>[])[];
  /** A new call begins. */
  readonly onOpen: readonly ((deps: ToldDeps, call: Call, now: number) => Script<void>)[];
  /** A call waits for a rail, with the payment that it is for. */
  readonly onHold: readonly ((deps: ToldDeps, call: Call, paymentId: string, now: number) => Script<void>)[];
  /** A call gets the result of an earlier one. */
  readonly onRepeat: readonly ((deps: ToldDeps, call: Call, output: unknown, now: number) => Script<void>)[];
  /** A call has its result. */
  readonly onClose: readonly ((deps: ToldDeps, call: Call, output: unknown, now: number) => Script<void>)[];
  /** Of the several people whom an approval takes one has approved, and others are to come. */
  readonly afterTouch: readonly ((
    deps: ToldDeps,
    request: ApprovalRequestRow,
    link: ApprovalLink,
    now: number,
  ) => Script<void>)[];
  /** An approval was granted or denied, or has expired. */
  readonly afterDecision: readonly ((
    deps: ToldDeps,
    request: ApprovalRequestRow,
    status: Exclude<ApprovalStatus, 'pending'>,
    now: number,
  ) => Script<void>)[];
  /** A payment has changed its state; the payment as it stands then. */
  readonly afterOutcome: readonly ((deps: ToldDeps, payment: PaymentRow, now: number) => Script<void>)[];
}

/** An exchange that an operation answers. */
export interface OperationExchange<Asked extends Exchange = Exchange> {
  readonly kind: Asked['kind'];
  /** The operation, by its name in the table. Its input is that of the exchange. */
  readonly operation: string;
  /** The kind of task that it begins. */
  readonly task: TaskKind;
  /** The DID of the agent that buys, or the script that finds it. @throws Fault NOT_FOUND where what the exchange names is not the caller's */
  agentOf(deps: Pick<Deps, 'hashToken'>, caller: Caller, asked: Asked): string | Script<string>;
  /** What the task needs of it for its next steps, as its content keeps it. */
  workOf(asked: Asked): object;
}

/** An exchange in the words of another protocol, which is one of the others by what the context of its message holds. */
interface TranslatedExchange<Asked extends Exchange = Exchange> {
  readonly kind: Asked['kind'];
  /** @throws Fault BAD_REQUEST for what is malformed, or for which the context has nothing */
  translate(
    deps: Pick<Deps, 'hashToken' | 'policies' | 'rails' | 'sealer'>,
    caller: Caller,
    contextId: string | undefined,
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
