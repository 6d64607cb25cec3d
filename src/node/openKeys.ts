/** The two keys of a node, checked against its database: one that signs, one that everything sealed comes from. */
import { randomBytes } from 'node:crypto';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { createIssuerKey, type IssuerKey, readIssuerKey } from '../crypto/issuerKey.ts';
import { nativeSuite } from '../crypto/nativeSuite.ts';
import { openRootKey } from '../crypto/rootKey.ts';
import { FIRST_ISSUER, ROOT_MARK } from '../domain/operator/claimDatabase.ts';
import { upgradeIssuerFile } from '../maintenance/upgradeIssuerFile.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './config.ts';

interface Keys {
  readonly key: IssuerKey;
  readonly root: Uint8Array;
}

type Files = Pick<Config, 'issuerKeyFile' | 'rootKeyFile'>;

/** For a node that starts: what a new database needs is made, and files from before are brought into their new form. */
export async function openOrMakeKeys(files: Files, store: Store): Promise<Keys> {
  const suite = nativeSuite();
  const database = await keysOf(store);
  const { issuerKeyFile: file } = files;
  const found =
    readIssuerKey(file) ?? (database.firstIssuer === undefined ? createIssuerKey(file, randomBytes) : undefined);
  if (found === undefined) throw missing(file, database.firstIssuer);
  // First the root key: the file from before holds the only copy of it.
  const root = openRootKey(suite, files.rootKeyFile, database, found, randomBytes);
  return { root, key: await upgradeIssuerFile(suite, store, { file, key: found, randomBytes }) };
}

/** For a command that works without a node, and makes no key. */
export async function openExistingKeys(files: Files, store: Store, suite: Suite = nativeSuite()): Promise<Keys> {
  const database = await keysOf(store);
  const key = readIssuerKey(files.issuerKeyFile);
  if (key === undefined) throw missing(files.issuerKeyFile, database.firstIssuer);
  const root = openRootKey(suite, files.rootKeyFile, database, key, undefined);
  if (key.formerSeeds.length === 0) return { key, root };
  throw new Error(`${files.issuerKeyFile} is in the form of an older program: run "countersign migrate" first.`);
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
