/** How a chain stands with its witnesses, in sentences: who contradicts it, whether enough have cosigned, who fails. */
import { type CheckpointRow, findLastCheckpoint } from '../../../store/statements/evidence/checkpoints.ts';
import {
  type ChainWitnessRow,
  findCheckpointBeyond,
  listChainWitnesses,
} from '../../../store/statements/evidence/cosignatures.ts';
import { databaseTime } from '../../../store/statements/node/nodes.ts';
import { listTenants } from '../../../store/statements/node/tenants.ts';
import type { Reader, Script, Store } from '../../../store/store.ts';
import { type Finding, fault, ok, warning } from '../../../usecase/finding.ts';
import { vouchedSize } from './vouchedSize.ts';
import type { WitnessAlarm, Witnesses } from './witnesses.ts';

/** How long a witness may be asked for a checkpoint in vain before that is told: it may be restarting. */
const GRACE_MS = 300_000;
/** Later than every time. */
const NEVER = Number.MAX_SAFE_INTEGER;

interface WitnessStatus extends WitnessAlarm {
  /** A sentence for each witness that could not be had for a while, though it may not be needed. */
  readonly failing: readonly string[];
  /** How many events enough witnesses vouch for, of how many that the newest checkpoint is over. */
  readonly vouched: number;
  readonly size: number;
}

/** For a node that names witnesses. @param at the script's time */
export function* standingOf(
  { named, quorum }: Pick<Witnesses, 'named' | 'quorum'>,
  tenantId: string,
  engine: Store['engine'],
  at: number,
): Script<WitnessStatus> {
  const now = yield* databaseTime(engine, at);
  const kept = new Map((yield* listChainWitnesses(tenantId)).map((row) => [row.witness, row]));
  const stands = named.map(({ key, verifierKey }) => ({ name: key.name, row: kept.get(verifierKey) }));
  const vouched = vouchedSize({ named, quorum }, [...kept.values()]);
  const waiting = yield* findCheckpointBeyond(tenantId, vouched);
  const rows = stands.map(({ row }) => row);
  const since = waiting === undefined ? NEVER : lackingSince(rows, waiting.size, quorum);
  const isLate = waiting !== undefined && waiting.created_at <= at - GRACE_MS && since <= now - GRACE_MS;
  const failing = stands.flatMap(({ name, row }) => {
    if (row?.failure == null || (row.failing_since ?? now) > now - GRACE_MS) return [];
    return [
      `The witness ${name} has cosigned nothing since ${new Date(Number(row.failing_since)).toISOString()}: ${row.failure}.`,
    ];
  });
  const enough = quorum === named.length ? `all ${quorum}` : `${quorum} of the ${named.length}`;
  return {
    refused: stands.flatMap(({ name, row }) => (row?.refusal == null ? [] : [refusalOf(name, row)])),
    missing: isLate ? missingOf(waiting, since, enough) : undefined,
    failing,
    vouched,
    size: (yield* findLastCheckpoint(tenantId))?.size ?? 0,
  };
}

/**
 * The time from which the node has asked so many witnesses in vain that the others cannot reach the quorum. A witness that it has
 * just begun to ask counts as one that will cosign.
 */
function lackingSince(rows: readonly (ChainWitnessRow | undefined)[], size: number, quorum: number): number {
  const lacking = rows.filter((row) => (row?.size ?? 0) < size);
  const times = lacking.map((row) => row?.refused_at ?? row?.failing_since ?? NEVER);
  return times.toSorted((one, other) => one - other)[rows.length - quorum] ?? NEVER;
}

/** @param since when the node has asked in vain @param enough how many witnesses, in words */
function missingOf({ size, created_at: madeAt }: CheckpointRow, since: number, enough: string): string {
  // The witness was named later than that checkpoint, or the node was stopped for long: it was never asked to cosign it.
  if (since > madeAt + GRACE_MS) {
    return `Since ${new Date(since).toISOString()} no checkpoint is cosigned by ${enough} witnesses.`;
  }
  return `The checkpoint over ${size} events of ${new Date(madeAt).toISOString()} is not cosigned by ${enough} witnesses.`;
}

function refusalOf(name: string, { refusal, seen_size: seen }: ChainWitnessRow): string {
  return refusal === 'ahead'
    ? `The witness ${name} has seen a chain of ${seen} events, and this one is shorter.`
    : `The witness ${name} has seen ${seen} events that this chain does not begin with.`;
}

const GRAVEST_FIRST: readonly Finding['level'][] = ['fault', 'warning', 'ok'];

/**
 * @param now milliseconds since the epoch @param tenantId whose chain; all chains where it is absent
 * @returns the gravest finding; none where no witness is named
 */
export async function examineChains(
  witnesses: Pick<Witnesses, 'named' | 'quorum'>,
  reader: Reader,
  now: number,
  tenantId?: string,
): Promise<readonly Finding[]> {
  if (witnesses.named.length === 0) return [];
  const found: Finding[] = [];
  for (const id of tenantId === undefined ? (await reader.read(listTenants)).map((each) => each.id) : [tenantId]) {
    const standing = await reader.read(() => standingOf(witnesses, id, reader.engine, now));
    found.push(judgeStanding(witnesses, standing));
  }
  const order = found.toSorted((one, other) => GRAVEST_FIRST.indexOf(one.level) - GRAVEST_FIRST.indexOf(other.level));
  return order.slice(0, 1);
}

const CHECK = 'witnesses';

/** For a node that names witnesses. */
function judgeStanding({ named, quorum }: Pick<Witnesses, 'named' | 'quorum'>, found: WitnessStatus): Finding {
  const { refused, missing, failing, vouched, size } = found;
  if (refused.length > 0) {
    const remedy = 'do not go on as if nothing were: /docs/evidence of the node says what it means, and what to do';
    return fault(CHECK, refused.join(' '), remedy);
  }
  const reach = 'see that they run and can be reached, and watch this chain: countersign evidence log';
  if (missing !== undefined) return fault(CHECK, [missing, ...failing].join(' '), reach);
  if (failing.length > 0) return warning(CHECK, failing.join(' '), reach);
  if (size === 0) return ok(CHECK, `There is no checkpoint yet that ${named.length} could cosign.`);
  return ok(
    CHECK,
    `${quorum} of ${named.length} vouch for the first ${vouched} events; the last checkpoint is over ${size}.`,
  );
}
