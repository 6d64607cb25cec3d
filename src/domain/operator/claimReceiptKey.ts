/**
 * The receipt key of a deployment. The database holds it sealed, so that every node that shares the root key has it, also one
 * with a data folder of its own; each node keeps it in a file too, where it outlives the restore of an older database.
 */
import { publicReceiptKey, type ReceiptJwk, type ReceiptKey, receiptKeyOf } from '../../crypto/receiptKey.ts';
import type { Sealer } from '../../crypto/seal.ts';
import {
  insertReceiptKey,
  listReceiptKeys,
  type ReceiptKeyRow,
  saveReceiptKey,
} from '../../store/statements/node/receiptKeys.ts';
import type { Script } from '../../store/store.ts';

export interface ReceiptKeys {
  /** The one that signs. */
  readonly current: ReceiptKey;
  /** The public keys that receipts verify with, the current one first. */
  readonly published: readonly ReceiptJwk[];
}

const RETIRED = 'retired';
const COMPROMISED = 'compromised';

interface StoredKey {
  readonly row: ReceiptKeyRow;
  readonly state: ReceiptKey | typeof RETIRED | typeof COMPROMISED;
}

/** @returns undefined where the database has no key yet @throws Error for a row that the root key did not seal */
export function* findReceiptKeys(sealer: Sealer): Script<ReceiptKeys | undefined> {
  return keysOf(yield* storedKeys(sealer));
}

/**
 * The keys, with the one of the file as the current one where the database does not know it: it is newer than a restored database,
 * or the first.
 * @param inFile what the data folder holds
 * @param made a new key, for a database and a folder without any
 */
export function* claimReceiptKey(
  sealer: Sealer,
  inFile: ReceiptKey | undefined,
  made: ReceiptKey,
  now: number,
): Script<ReceiptKeys> {
  const stored = yield* storedKeys(sealer);
  const known = keysOf(stored);
  if (inFile !== undefined && !stored.some(({ row }) => row.kid === inFile.jwk.kid)) {
    return yield* replaceReceiptKey(sealer, inFile, false, now);
  }
  return known ?? (yield* replaceReceiptKey(sealer, made, false, now));
}

/** @param compromised whether what the former key signed is to verify no more */
export function* replaceReceiptKey(
  sealer: Sealer,
  next: ReceiptKey,
  compromised: boolean,
  now: number,
): Script<ReceiptKeys> {
  for (const { row, state } of yield* storedKeys(sealer)) {
    if (typeof state === 'string') continue;
    const sealed = sealer.seal(compromised ? COMPROMISED : RETIRED, sealContext(row));
    yield* saveReceiptKey({ ...row, sealed, retired_at: now });
  }
  const { kid, x, y } = next.jwk;
  const sealed = sealer.seal(next.scalar, sealContext({ x, y }));
  yield* insertReceiptKey({ kid, x, y, sealed, created_at: now, retired_at: null });
  return keysOf(yield* storedKeys(sealer)) as ReceiptKeys;
}

/** @returns how many there are */
export function* resealReceiptKeys(reseal: (sealed: string, context: string) => string): Script<number> {
  const rows = yield* listReceiptKeys();
  for (const row of rows) yield* saveReceiptKey({ ...row, sealed: reseal(row.sealed, sealContext(row)) });
  return rows.length;
}

function* storedKeys(sealer: Sealer): Script<StoredKey[]> {
  return (yield* listReceiptKeys()).map((row) => {
    const plain = sealer.open(row.sealed, sealContext(row));
    return { row, state: plain === RETIRED || plain === COMPROMISED ? plain : receiptKeyOf(plain) };
  });
}

function keysOf(stored: readonly StoredKey[]): ReceiptKeys | undefined {
  const current = stored.map(({ state }) => state).find((state) => typeof state === 'object');
  if (current === undefined) return undefined;
  const former = stored.filter(({ state }) => state === RETIRED);
  return { current, published: [current.jwk, ...former.map(({ row }) => publicReceiptKey(row.x, row.y))] };
}

/** Of the coordinates, so that a row whose public key was exchanged does not open. */
function sealContext({ x, y }: Pick<ReceiptKeyRow, 'x' | 'y'>): string {
  return `receipt key ${publicReceiptKey(x, y).kid}`;
}
