/** Fetches what an identity provider publishes and answers, in bounded size, and in names that both libraries which read it know. */
import { algorithmName, ED25519_NAMES } from '../../protocol/wire/algorithmName.ts';

/** Of an answer; metadata, keys and tokens have a few kilobytes. */
const MOST_BYTES = 512 * 1024;

/** As `fetch`, for an answer that is not endless: the libraries read all there is. @throws TypeError */
export async function fetchOfProvider(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const { body, status, headers } = response;
  if (body === null) return response;
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    read += piece.length;
    if (read > MOST_BYTES) throw new TypeError(`${new URL(url).origin} answers more than ${MOST_BYTES} bytes`);
    pieces.push(piece);
  }
  return new Response(withEitherName(Buffer.concat(pieces)), { status, headers });
}

/**
 * The libraries compare names of algorithms as texts, so that a token which says Ed25519 is by no key which says EdDSA (RFC 9864,
 * RFC 8037). A key of that curve has one use, so its `alg` is left out, and metadata that list one name list both.
 */
function withEitherName(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | string {
  const document = objectIn(bytes);
  if (document === undefined) return bytes;
  const { keys, [LISTED]: listed } = document;
  if (Array.isArray(keys)) return JSON.stringify({ ...document, keys: keys.map(withoutName) });
  if (!Array.isArray(listed) || !listed.some((each) => algorithmName(each) === 'EdDSA')) return bytes;
  return JSON.stringify({ ...document, [LISTED]: [...new Set([...listed, ...ED25519_NAMES])] });
}

const LISTED = 'id_token_signing_alg_values_supported';

function withoutName(key: unknown): unknown {
  const { alg, ...rest } = Object(key) as { readonly alg?: unknown; readonly crv?: unknown };
  return rest.crv === 'Ed25519' && algorithmName(alg) === 'EdDSA' ? rest : key;
}

function objectIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
