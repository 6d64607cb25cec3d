/** The two keys of a node, checked against its database: one that signs, one that everything sealed comes from. */
import { randomBytes } from 'node:crypto';
import { createIssuerKey, type IssuerKey, readIssuerKey } from '../crypto/issuerKey.ts';
import { openRootKey } from '../crypto/rootKey.ts';
import { FIRST_ISSUER, ROOT_MARK } from '../domain/operator/claimDatabase.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './config/config.ts';

interface Keys {
  readonly key: IssuerKey;
  readonly root: Uint8Array;
}

type Files = Pick<Config, 'issuerKeyFile' | 'rootKeyFile'>;

/** For a node that starts: what a new database needs is made. */
export async function openOrMakeKeys(files: Files, store: Store): Promise<Keys> {
  const database = await keysOf(store);
  const { issuerKeyFile: file } = files;
  const key =
    readIssuerKey(file) ?? (database.firstIssuer === undefined ? createIssuerKey(file, randomBytes) : undefined);
  if (key === undefined) throw missing(file, database.firstIssuer);
  return { key, root: openRootKey(files.rootKeyFile, database, randomBytes) };
}

/** For a command that works without a node, and makes no key. */
export async function openExistingKeys(files: Files, store: Store): Promise<Keys> {
  const database = await keysOf(store);
  const key = readIssuerKey(files.issuerKeyFile);
  if (key === undefined) throw missing(files.issuerKeyFile, database.firstIssuer);
  return { key, root: openRootKey(files.rootKeyFile, database, undefined) };
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
