/**
 * The keys of a node, checked against its database: one that signs, one that everything sealed comes from, and the one that
 * signs receipts.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createIssuerKey, type IssuerKey, readIssuerKey } from '../crypto/issuerKey.ts';
import { makeReceiptKey, readReceiptKey, writeReceiptKey } from '../crypto/receiptKey.ts';
import { openRootKey } from '../crypto/rootKey.ts';
import { sealer } from '../crypto/seal.ts';
import { FIRST_ISSUER, ROOT_MARK } from '../domain/operator/claimDatabase.ts';
import { claimReceiptKey, findReceiptKeys, type ReceiptKeys } from '../domain/operator/claimReceiptKey.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './config/config.ts';

interface Keys {
  readonly key: IssuerKey;
  readonly root: Uint8Array;
  readonly receiptKeys: ReceiptKeys;
}

type Files = Pick<Config, 'dataDir' | 'issuerKeyFile' | 'rootKeyFile'>;

/** For a node that starts: what a new database needs is made. */
export async function openOrMakeKeys(files: Files, store: Store): Promise<Keys> {
  const database = await keysOf(store);
  const { issuerKeyFile: file } = files;
  const key =
    readIssuerKey(file) ?? (database.firstIssuer === undefined ? createIssuerKey(file, randomBytes) : undefined);
  if (key === undefined) throw missing(file, database.firstIssuer);
  const root = openRootKey(files.rootKeyFile, database, randomBytes);
  return { key, root, receiptKeys: await openReceiptKey(receiptKeyFile(files), root, store) };
}

/** What a data folder has of the receipt key. */
export function receiptKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'receipt.key');
}

/** Files and database then hold the same: another node may have made the key, or a command another one. */
async function openReceiptKey(file: string, root: Uint8Array, store: Store): Promise<ReceiptKeys> {
  const inFile = readReceiptKey(file);
  // Made here, since a script may run twice.
  const made = makeReceiptKey();
  const keys = await store.write('bootstrap', (now) => claimReceiptKey(sealer(root), inFile, made, now));
  if (inFile?.scalar !== keys.current.scalar) writeReceiptKey(file, keys.current, randomBytes);
  return keys;
}

/** For a command that works without a node, and makes no key. */
export async function openExistingKeys(files: Files, store: Store): Promise<Keys> {
  const database = await keysOf(store);
  const key = readIssuerKey(files.issuerKeyFile);
  if (key === undefined) throw missing(files.issuerKeyFile, database.firstIssuer);
  const root = openRootKey(files.rootKeyFile, database, undefined);
  const receiptKeys = await store.read(() => findReceiptKeys(sealer(root)));
  if (receiptKeys === undefined) throw new Error('The database has no receipt key yet: start the node once.');
  return { key, root, receiptKeys };
}

function keysOf(store: Store) {
  return store.read(function* () {
    return { firstIssuer: yield* findSetting(FIRST_ISSUER), rootMark: yield* findSetting(ROOT_MARK) };
  });
}

function missing(file: string, issuer: string | undefined): Error {
  return new Error(
    `The issuer key file ${file} is missing, and the database belongs to ${issuer}. ` +
      'Put it back from a backup, or set ISSUER_KEY_FILE to the key file that the other nodes of this deployment use.',
  );
}
