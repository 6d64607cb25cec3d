/** What `countersign external` does with payments that are made elsewhere. */
import { createHash } from 'node:crypto';
import type { Operations, Payment } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { CommandRefusal, WrongUse } from '../commandFailure.ts';
import { readBytes, readJsonFile } from '../input/files.ts';
import { columns, facts, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { inputOf } from '../target/listRecords.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type ReleaseInput = Operations['releaseReservation']['input'];
type Lines = Operations['readStatement']['input']['lines'];

export function reserve(env: Env, options: TargetOptions & { readonly purchase?: string }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const asked = await inputOf(client, 'reserveExternally', options);
    const idempotencyKey = options.purchase ?? keyOf(asked);
    const reserved = await client.reserveExternally({ ...asked, idempotencyKey });
    if (!reserved.allowed) {
      const [code = 'REFUSED'] = reserved.reasonCodes;
      const why = Object.values(reserved.details).map(({ message }) => message);
      const link = reserved.approval?.url;
      const ask =
        link === undefined
          ? []
          : [`A person can approve it at ${link}; then give --approval ${reserved.approval?.id}.`];
      throw new CommandRefusal(code, [...why, ...ask].join(' '));
    }
    const lines = {
      Payment: reserved.mandateId,
      Reserved: money(reserved.reserved, reserved.currency),
      Until: localTime(reserved.expiresAt),
    };
    print(options, reserved, facts(lines));
  });
}

const HOUR_MS = 3_600_000;

/** The same purchase within an hour is one, so that a command that is repeated after a broken connection reserves nothing more. */
function keyOf(purchase: object): string {
  const text = JSON.stringify([purchase, Math.floor(Date.now() / HOUR_MS)]);
  return `cli-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

interface CommitOptions extends TargetOptions {
  readonly amount?: number;
  readonly reference?: string;
  readonly receipt?: string;
  readonly note?: string;
}

export function commit(env: Env, mandateId: string, options: CommitOptions): Promise<void> {
  const { amount, reference, receipt, note } = options;
  const sha256 = receipt === undefined ? undefined : createHash('sha256').update(readBytes(receipt)).digest('hex');
  const byReference = reference === undefined ? ('none' as const) : ('order' as const);
  const kind = sha256 === undefined ? byReference : ('receipt' as const);
  const evidence = { kind, ...compact({ sha256, reference, note }) };
  return change(env, options, (client) => client.commitReservation({ mandateId, evidence, ...compact({ amount }) }));
}

export function release(
  env: Env,
  mandateId: string,
  options: TargetOptions & Pick<ReleaseInput, 'reason'>,
): Promise<void> {
  const { reason = 'not_paid' } = options;
  return change(env, options, (client) => client.releaseReservation({ mandateId, reason }));
}

function change(env: Env, options: TargetOptions, act: (client: Target['client']) => Promise<Payment>): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const { mandateId, status, captured, currency, attention, ...rest } = await act(client);
    const lines = {
      Payment: mandateId,
      Status: statusCell(status),
      Paid: money(captured, currency),
      Attention: attention?.reason,
    };
    print(options, compact({ mandateId, status, captured, currency, attention, ...rest }), facts(lines));
  });
}

export function readStatement(env: Env, file: string, options: TargetOptions): Promise<void> {
  const read = readJsonFile(file);
  const lines = (Array.isArray(read) ? read : (read as { lines?: unknown } | null)?.lines) as Lines | undefined;
  if (!Array.isArray(lines)) {
    throw new WrongUse(`${file} has no lines; give a list of {"occurredAt", "amount", "currency", "descriptor"}.`);
  }
  return withTarget(env, options, async ({ client }) => {
    const told = await client.readStatement({ lines });
    const rows = told.lines.map(({ outcome, mandateId }, at) => {
      const { descriptor, amount, currency } = lines[at] as Lines[number];
      return [outcome, money(amount, currency), descriptor, mandateId ?? ''];
    });
    print(options, told, columns(['OUTCOME', 'AMOUNT', 'LINE', 'PAYMENT'], rows));
  });
}
