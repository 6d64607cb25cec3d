/**
 * A witness as others run them, written from the text of C2SP tlog-witness with node:crypto and node:http alone: nothing of
 * the program is in it, so that the program's client is tested against another reading of the specification.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSignedPlainly, type PlainKey, plainCosignature } from './plainNotes.ts';

export interface PlainWitness {
  readonly url: string;
  /** What it has seen, by origin; a test may make it forget, or remember something else. */
  readonly seen: Map<string, { size: number; root: string }>;
  /** The bodies it was sent. */
  readonly requests: string[];
  /** What it answers from now on in place of its judgement; undefined for its own answers. */
  answer: { status: number; type?: string; body: string } | undefined;
  /** While there is one, requests are answered once it resolves. */
  held: Promise<void> | undefined;
  close(): Promise<void>;
}

/** @param logs verifier keys by origin @param time in seconds since the epoch */
export async function plainWitness(
  key: PlainKey,
  logs: ReadonlyMap<string, readonly string[]>,
  time = () => Math.floor(Date.now() / 1000),
): Promise<PlainWitness> {
  const seen: PlainWitness['seen'] = new Map();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => (body += piece));
    request.on('end', async () => {
      const isAdding = request.method === 'POST' && request.url?.endsWith('/add-checkpoint') === true;
      requests.push(body);
      await witness.held;
      const judged = witness.answer ?? (isAdding ? judge(body) : { status: 404, body: '' });
      response.writeHead(judged.status, { 'content-type': judged.type ?? 'text/plain' });
      response.end(judged.body);
    });
  });

  function judge(body: string): NonNullable<PlainWitness['answer']> {
    const refused = (status: number) => ({ status, body: '' });
    const split = body.indexOf('\n\n');
    const [old = '', ...proof] = body.slice(0, split).split('\n');
    const note = body.slice(split + 2);
    const [origin = '', sizeText = '', root = ''] = note.split('\n');
    const oldSize = Number(/^old (0|[1-9]\d*)$/.exec(old)?.[1] ?? Number.NaN);
    const size = Number(sizeText);
    if (Number.isNaN(oldSize) || !Number.isSafeInteger(size) || proof.length > 63) return refused(400);
    const keys = logs.get(origin);
    if (keys === undefined) return refused(404);
    if (!keys.some((vkey) => isSignedPlainly(note, vkey))) return refused(403);
    if (oldSize > size) return refused(400);
    const last = seen.get(origin) ?? { size: 0, root: '' };
    if (last.size !== oldSize) return { status: 409, type: 'text/x.tlog.size', body: `${last.size}\n` };
    const extends_ =
      oldSize === 0
        ? proof.length === 0
        : isConsistent(
            oldSize,
            size,
            last.root,
            root,
            proof.map((hash) => Buffer.from(hash, 'base64')),
          );
    if (!extends_) return refused(422);
    seen.set(origin, { size, root });
    return { status: 200, body: plainCosignature(key, note.slice(0, note.lastIndexOf('\n\n') + 1), time()) };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const witness: PlainWitness = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w`,
    seen,
    requests,
    answer: undefined,
    held: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return witness;
}

function node(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

/** RFC 9162 section 2.1.4.2, step by step. */
function isConsistent(first: number, second: number, firstRoot: string, secondRoot: string, proof: Buffer[]): boolean {
  if (first === second) return proof.length === 0 && firstRoot === secondRoot;
  const path = Number.isInteger(Math.log2(first)) ? [Buffer.from(firstRoot, 'base64'), ...proof] : [...proof];
  if (path.length === 0) return false;
  let fn = BigInt(first - 1);
  let sn = BigInt(second - 1);
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let fr = path[0] as Buffer;
  let sr = path[0] as Buffer;
  for (const c of path.slice(1)) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      fr = node(c, fr);
      sr = node(c, sr);
      while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      sr = node(sr, c);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && fr.toString('base64') === firstRoot && sr.toString('base64') === secondRoot;
}
