/**
 * The issuer's key file: the seed of the signing key as base64url on the first line, created at first start. After a
 * rotation only the public statements of it are below, a line of JSON each, the oldest first: what signed before can sign
 * nothing any more.
 */
import { SEED_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { IssuerRotation } from '../../protocol/evidence/rotation.ts';
import { createKeyFile, type RandomBytes, readKeyLines, replaceKeyFile, seedIn } from './keyFile.ts';

export interface IssuerKey {
  /** The seed of the signing key. */
  readonly seed: Uint8Array;
  /** How the former keys were retired, the oldest first. */
  readonly rotations: readonly IssuerRotation[];
}

/** @returns undefined when there is no file @throws Error when it is open to others (keyFile.ts), or holds no key */
export function readIssuerKey(file: string): IssuerKey | undefined {
  const lines = readKeyLines(file, 'issuer key file');
  if (lines === undefined) return undefined;
  const [first = '', ...below] = lines;
  const seed = seedIn(first);
  const rotations = below.flatMap((line) => rotationIn(line) ?? []);
  if (seed !== undefined && rotations.length === below.length) return { seed, rotations };
  throw new Error(
    `The issuer key file ${file} must hold one line for each key: ${SEED_BYTES} bytes as base64url (43 characters), ` +
      'then a line of JSON for each rotation.',
  );
}

/** Makes the first key, unless there is one. Of two nodes that start at once, one makes it and both read it. */
export function createIssuerKey(file: string, randomBytes: RandomBytes): IssuerKey {
  createKeyFile(file, [toBase64url(randomBytes(SEED_BYTES))], randomBytes);
  const key = readIssuerKey(file);
  if (key === undefined) throw new Error(`The issuer key file ${file} vanished while it was being created.`);
  return key;
}

/** Puts another key, or other rotations, in the place of what the file holds; no former seed stays in it. */
export function replaceIssuerKey(file: string, { seed, rotations }: IssuerKey, randomBytes: RandomBytes): void {
  const lines = [toBase64url(seed), ...rotations.map((rotation) => JSON.stringify(rotation))];
  replaceKeyFile(file, lines, randomBytes);
}

function rotationIn(line: string): IssuerRotation | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return IssuerRotation.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The DID of the first key of all, which the chains of its database begin with. */
export function firstDidOf(suite: Suite, { seed, rotations }: IssuerKey): string {
  return rotations[0]?.from ?? suite.signer(seed).did;
}
