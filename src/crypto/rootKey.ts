/**
 * The root key: what the node seals and derives comes from it, and nothing is signed with it. The database has a mark of
 * it, so that another key is noticed before anything is sealed with that.
 */
import { hkdfSync } from 'node:crypto';
import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { createKeyFile, moveKeyFile, type RandomBytes, readKeyLines, replaceKeyFile, seedIn } from './keyFile.ts';

const NAME = 'root key file';

/** What a database says of its keys. */
export interface KeysOfDatabase {
  /** The DID its chains begin with; undefined for a new database. */
  readonly firstIssuer: string | undefined;
  /** The mark of its root key; undefined for a new database. */
  readonly rootMark: string | undefined;
}

/** Tells root keys apart without telling anything about them. */
export function markOf(root: Uint8Array): string {
  return toBase64url(new Uint8Array(hkdfSync('sha256', root, '', 'countersign-root-mark-v1', 16)));
}

/** @returns undefined when there is no file @throws Error when it is open to others (keyFile.ts), or holds no key */
export function readRootKey(file: string): Uint8Array | undefined {
  const lines = readKeyLines(file, NAME);
  if (lines === undefined) return undefined;
  const root = lines.length === 1 ? seedIn(lines[0] as string) : undefined;
  if (root !== undefined) return root;
  throw new Error(`The ${NAME} ${file} must hold one line: ${SEED_BYTES} bytes as base64url (43 characters).`);
}

/**
 * The root key of a database. A new database gets a new one.
 * @param make random bytes, where a missing file is to be made
 * @param finish whether to finish a rotation that was cut off
 * @throws Error that says which key is missing, or that the file is that of another database
 */
export function openRootKey(
  file: string,
  database: KeysOfDatabase,
  make: RandomBytes | undefined,
  finish = true,
): Uint8Array {
  const { firstIssuer, rootMark } = database;
  // A database with an issuer and without the mark was changed by hand: any key would then do.
  if (rootMark === undefined && firstIssuer !== undefined) {
    throw new Error('The database does not say which root key it belongs to: restore a backup of it.');
  }
  const found = readRootKey(file);
  if (found !== undefined && (rootMark === undefined || markOf(found) === rootMark)) return found;
  const staged = readRootKey(stagedFile(file));
  if (staged !== undefined && rootMark !== undefined && markOf(staged) === rootMark) {
    // A rotation that was cut off after its commit.
    if (finish) moveKeyFile(stagedFile(file), file);
    return staged;
  }
  if (found !== undefined) {
    throw new Error(
      `The root key file ${file} is not that of this database. ` +
        'Set ROOT_KEY_FILE to the key file that the other nodes of this deployment use.',
    );
  }
  if (make !== undefined && rootMark === undefined) {
    createKeyFile(file, [toBase64url(make(SEED_BYTES))], make);
    return openRootKey(file, database, undefined);
  }
  throw new Error(
    `The root key file ${file} is missing, and the database belongs to it. ` +
      'Put it back from a backup, or set ROOT_KEY_FILE to the key file that the other nodes of this deployment use.',
  );
}

/** Puts a new key beside the file, on disk before the database is sealed with it. */
export function stageRootKey(file: string, randomBytes: RandomBytes): Uint8Array {
  const root = randomBytes(SEED_BYTES);
  replaceKeyFile(stagedFile(file), [toBase64url(root)], randomBytes);
  return root;
}

/** Puts the staged key in the place of the file, once the database is sealed with it. */
export function adoptStagedRootKey(file: string): void {
  moveKeyFile(stagedFile(file), file);
}

function stagedFile(file: string): string {
  return `${file}.next`;
}

/** As openRootKey, but changes nothing. @throws Error when it is missing, or is that of another database */
export function checkRootKey(file: string, database: KeysOfDatabase): void {
  openRootKey(file, database, undefined, false);
}
