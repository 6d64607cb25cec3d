/** What is told, in the same commit, of what has happened: named lists, put together with the node. Their order is data. */
import type { ApprovalLink, ApprovalStatus } from '../../protocol/approval.ts';
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
