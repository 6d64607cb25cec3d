/** What `countersign payment` does with payments at a node. */
import { writeFileSync } from 'node:fs';
import type { Dispute, DisputeRecord, Operations, Payment, PaymentRecord } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { requireFolderOf } from '../input/files.ts';
import { type Cell, facts, localTime, money, statusCell } from '../output/layout.ts';
import { print, printPieces } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import { agentNames } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

export function listPayments(env: Env, options: ListOptions): Promise<void> {
  const heads = ['PAYMENT', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT', 'AGENT'];
  return listRecords(env, options, 'listPayments', { heads, row });
}

export function listDisputes(env: Env, options: ListOptions): Promise<void> {
  const heads = ['DISPUTE', 'STATUS', 'AMOUNT', 'REASON', 'OPENED', 'DUE BY', 'PAYMENT'];
  return listRecords(env, options, 'listDisputes', { heads, row: disputeRow });
}

function disputeRow({ id, status, amount, currency, reason, openedAt, dueBy, mandateId }: DisputeRecord): Cell[] {
  const due = dueBy === undefined ? '' : localTime(dueBy);
  return [id, statusCell(status), money(amount, currency), reason ?? '', localTime(openedAt), due, mandateId];
}

export function showPayment(env: Env, mandateId: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const found = await client.getPayment({ mandateId });
    const names = await agentNames(client, [found.agentDid]);
    print(options, found, describe(found, names.get(found.agentDid)));
  });
}

interface AmountOptions extends TargetOptions {
  readonly amount?: number;
}

export function capturePayment(env: Env, mandateId: string, options: AmountOptions): Promise<void> {
  const part = compact({ amount: options.amount });
  return operate(env, options, (client) => client.capturePayment({ mandateId, ...part }));
}

export function cancelPayment(env: Env, mandateId: string, options: TargetOptions): Promise<void> {
  return operate(env, options, (client) => client.cancelPayment({ mandateId }));
}

interface RefundOptions extends AmountOptions {
  readonly reference?: string;
}

export function refundPayment(env: Env, mandateId: string, { reference, ...options }: RefundOptions): Promise<void> {
  const evidence = reference === undefined ? undefined : ({ kind: 'receipt', reference } as const);
  const part = compact({ amount: options.amount, evidence });
  return operate(env, options, (client) => client.refundPayment({ mandateId, ...part }));
}

export function reconcilePayment(env: Env, mandateId: string, options: TargetOptions): Promise<void> {
  return operate(env, options, (client) => client.reconcilePayment({ mandateId }));
}

type JournalOptions = TargetOptions & Omit<Operations['exportJournal']['input'], 'month'>;

export function printJournal(env: Env, month: string, options: JournalOptions): Promise<void> {
  const { timezone, format } = options;
  return withTarget(env, options, (target) =>
    printPieces(target.exportJournal({ month, ...compact({ timezone, format }) })),
  );
}

/** @param given where it is saved; under its own name in this folder when absent */
export function saveDisputePack(
  env: Env,
  mandateId: string,
  given: string | undefined,
  options: TargetOptions,
): Promise<void> {
  const file = given ?? `dispute-${mandateId}.zip`;
  requireFolderOf(file);
  return withTarget(env, options, async (target) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of target.downloadDisputePack(mandateId)) pieces.push(piece);
    writeFileSync(file, Buffer.concat(pieces), { mode: 0o600 });
    print(options, { file, mandateId }, `${file}: pack.html to print, pack.json, and bundle.json for evidence verify.`);
  });
}

export function answerDispute(
  env: Env,
  id: string,
  options: TargetOptions & { readonly submit?: boolean },
): Promise<void> {
  const { submit = false } = options;
  return withTarget(env, options, async ({ client }) => {
    const dispute = await client.answerDispute({ id, submit });
    const done = submit ? 'Submitted to the bank' : 'Laid down at the rail';
    print(options, dispute, `${done} for the dispute ${dispute.railDisputeId}.`);
  });
}

export function submitDispute(env: Env, id: string, options: TargetOptions & { readonly note: string }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const dispute = await client.submitDispute({ id, note: options.note });
    print(options, dispute, `Recorded for the dispute ${dispute.railDisputeId}.`);
  });
}

interface SettleOptions extends AmountOptions {
  readonly status: 'CAPTURED' | 'CANCELED';
  readonly note: string;
}

export function settlePayment(env: Env, mandateId: string, options: SettleOptions): Promise<void> {
  const { status, note } = options;
  const part = compact({ amount: options.amount });
  return operate(env, options, (client) => client.settlePayment({ mandateId, status, note, ...part }));
}

function operate(env: Env, options: TargetOptions, act: (client: Target['client']) => Promise<Payment>): Promise<void> {
  const needs = { runningNode: 'Only a running node asks the rail.' };
  const run = async ({ client }: Target) => {
    const changed = await act(client);
    print(options, changed, describe(changed));
  };
  return withTarget(env, options, run, needs);
}

function row({ mandateId, status, createdAt, amount, currency, merchant, agentDid }: Payment, name?: string): Cell[] {
  return [mandateId, statusCell(status), localTime(createdAt), money(amount, currency), merchant, name ?? agentDid];
}

function describe(payment: Payment & Partial<PaymentRecord>, agentName?: string): string {
  const { currency, captured, refunded, disputed, disputes, error, attention } = payment;
  return facts({
    Payment: payment.mandateId,
    Status: statusCell(payment.status),
    Amount: money(payment.amount, currency),
    Captured: captured === 0 ? undefined : money(captured, currency),
    Refunded: refunded === 0 ? undefined : money(refunded, currency),
    Disputed: disputed === 0 ? undefined : money(disputed, currency),
    Disputes: disputes.length === 0 ? undefined : disputes.map(disputeText).join('; '),
    Merchant: payment.merchant,
    Bought: payment.description,
    Agent: agentName === undefined ? payment.agentDid : `${agentName} (${payment.agentDid})`,
    When: localTime(payment.createdAt),
    Rail: [payment.rail, payment.railTransactionId].filter(Boolean).join(' '),
    Attention: attention === undefined ? undefined : `${attention.reason} (since ${localTime(attention.since)})`,
    Error: error === undefined ? undefined : `${error.code}: ${error.message}`,
    Transaction: payment.transactionId,
  });
}

function disputeText({ railDisputeId, status, amount, currency, dueBy }: Dispute): string {
  const due = dueBy === undefined ? '' : ` (due by ${localTime(dueBy)})`;
  return `${railDisputeId} ${status} ${money(amount, currency)}${due}`;
}
