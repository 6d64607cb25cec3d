/** The newest release that a host has: the version that its signed checksums name. Nothing of this machine is told to the host. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Failure, reasonOf } from '../commandFailure.ts';

/** The longest list of checksums that is read, and the longest wait for it. */
const MOST_BYTES = 65_536;
const PATIENCE_MS = 20_000;
const MOST_REDIRECTS = 5;

/** A line of SHA256SUMS for a binary; the version is Semantic Versioning's (https://semver.org). */
const BINARY = /^[0-9a-f]{64} {2}countersign-(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*)?)-linux-(?:x64|arm64)$/gm;

/**
 * @param from the address of the releases, whose paths are those of a GitHub repository
 * @param publicKey SubjectPublicKeyInfo in base64 @returns the version
 * @throws Failure where the host does not answer, or where it answers what the key has not signed
 */
export async function newestRelease(from: string, publicKey: string): Promise<string> {
  const sums = await fetched(`${from}/latest/download/SHA256SUMS`);
  const signature = await fetched(`${from}/latest/download/SHA256SUMS.sig`);
  if (!verify(null, sums, keyOf(publicKey), signature)) {
    throw failed(`SHA256SUMS at ${from} is not signed by the key of this program, and nothing of it is believed.`);
  }
  const versions = new Set([...sums.toString('utf8').matchAll(BINARY)].map(([, version]) => version as string));
  const [version] = versions;
  if (version === undefined || versions.size > 1) throw failed(`SHA256SUMS at ${from} names no binary of one version.`);
  return version;
}

/** Semantic Versioning 2.0.0 section 11, with suffixes as texts. @returns above 0 where `one` is the newer */
export function compareVersions(one: string, other: string): number {
  const [[numbers, suffix], [otherNumbers, otherSuffix]] = [partsOf(one), partsOf(other)];
  for (const [at, number] of numbers.entries()) {
    const order = number - (otherNumbers[at] ?? 0);
    if (order !== 0) return order;
  }
  if (suffix === otherSuffix) return 0;
  if (suffix === '' || otherSuffix === '') return suffix === '' ? 1 : -1;
  return suffix < otherSuffix ? -1 : 1;
}

function partsOf(version: string): [readonly number[], string] {
  const [numbers = '', ...suffix] = version.replace(/\+.*$/, '').split('-');
  return [numbers.split('.').map(Number), suffix.join('-')];
}

function keyOf(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
}

/** Follows redirects, as hosts of files send them, but to no address that is less safe than the first. */
async function fetched(url: string): Promise<Buffer> {
  let next = url;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const response = await fetch(next, { redirect: 'manual', signal, headers: { 'User-Agent': 'countersign' } });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        if (!response.ok) throw new Error(`it answers ${response.status}`);
        return await bounded(response);
      }
      await response.body?.cancel();
      next = new URL(location, next).href;
      if (url.startsWith('https:') && !next.startsWith('https:'))
        throw new Error('it leads to an address without https');
    }
    throw new Error('it leads from one address to the next');
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw failed(`${url} was not fetched: ${reasonOf(cause)}. Ask again, or name a mirror with --from.`);
  }
}

async function bounded(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error('it is longer than a list of checksums');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function failed(message: string): Failure {
  return new Failure(message, { code: 'FAILED', exitCode: 1 });
}
