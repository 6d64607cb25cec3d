/** The text of an SD-JWT (RFC 9901 section 4) and of a chain of them, taken apart: bounds first, nothing verified. */
import { fromBase64url } from '../credential/encodings.ts';
import { Fault } from '../wire/fault.ts';
import { decodeUtf8, parseJson } from '../wire/json.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a chain may have at most. A text beyond one of them is refused before any part of it is decoded. */
export const CHAIN_BOUNDS = { characters: 65_536, hops: 8, disclosures: 1000 } as const;

/** One issuer-signed JWT with the disclosures presented beside it. */
export interface SdJwt {
  /** As it is hashed: `jwt~disclosure~…~`, with the last tilde. */
  readonly text: string;
  /** The JWT alone. */
  readonly jwt: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  /** What was signed, and the signature over it. */
  readonly content: Uint8Array;
  readonly signature: Uint8Array;
  /** In base64url, as presented. */
  readonly disclosures: readonly string[];
}

/**
 * The SD-JWTs of a chain in which each is joined to the one before by `~~` (Delegate SD-JWT section 6), which takes the
 * place of its last tilde.
 * @throws Fault BAD_REQUEST for a text that is no such chain, or beyond the bounds
 */
export function parseChain(text: string): readonly SdJwt[] {
  refuseBeyondBounds([text]);
  const parts = text.split('~~');
  if (parts.length > CHAIN_BOUNDS.hops) throw tooMany(`${parts.length} tokens`, `${CHAIN_BOUNDS.hops}`);
  return parts.map((part, index) => parseOne(index === parts.length - 1 ? part : `${part}~`, `token ${index + 1}`));
}

/**
 * SD-JWTs that are presented as texts of their own.
 * @param texts by the names that the sentence of a fault calls them
 * @throws Fault BAD_REQUEST where one is no SD-JWT, or all of them are beyond the bounds of a chain
 */
export function parseTokens<Name extends string>(
  texts: Readonly<Partial<Record<Name, string | undefined>>>,
): Partial<Record<Name, SdJwt>> {
  const given = Object.entries(texts).filter((entry): entry is [Name, string] => entry[1] !== undefined);
  refuseBeyondBounds(given.map(([, text]) => text));
  return Object.fromEntries(given.map(([name, text]) => [name, parseOne(text, name)])) as Partial<Record<Name, SdJwt>>;
}

/** @throws Fault BAD_REQUEST where texts that are read together have more characters or disclosures than a chain may */
function refuseBeyondBounds(texts: readonly string[]): void {
  const { characters, disclosures } = CHAIN_BOUNDS;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > characters) throw tooMany(`${length} characters`, `${characters}`);
  let tildes = 0;
  for (const text of texts) {
    for (let at = text.indexOf('~'); at >= 0; at = text.indexOf('~', at + 1)) tildes += 1;
  }
  if (tildes > disclosures) throw tooMany(`${tildes} disclosures`, `${disclosures}`);
}

function tooMany(found: string, most: string): Fault {
  return new Fault('BAD_REQUEST', `The mandate has ${found}; it may have at most ${most}.`);
}

function parseOne(text: string, name: string): SdJwt {
  const [jwt = '', ...rest] = text.split('~');
  if (rest.pop() !== '') throw malformed(name, 'an SD-JWT ends with a tilde');
  const [head, body, tail, ...more] = jwt.split('.');
  const signature = fromBase64url(tail ?? '');
  if (head === undefined || body === undefined || tail === undefined || more.length > 0 || signature === undefined) {
    throw malformed(name, 'its JWT must have three parts in base64url');
  }
  return {
    text,
    jwt,
    header: objectIn(head, name, 'header'),
    payload: objectIn(body, name, 'payload'),
    content: utf8.encode(`${head}.${body}`),
    signature,
    disclosures: rest,
  };
}

function objectIn(part: string, name: string, which: string): JsonObject {
  const value = jsonIn(part);
  if (!isObject(value)) throw malformed(name, `its ${which} is no JSON object in base64url`);
  return value;
}

/** @returns the JSON value that a text in base64url holds; undefined where it holds none */
export function jsonIn(part: string): unknown {
  const bytes = fromBase64url(part);
  if (bytes === undefined) return undefined;
  try {
    return parseJson(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(name: string, why: string): Fault {
  return new Fault('BAD_REQUEST', `The mandate is no chain of SD-JWTs: of ${name}, ${why}.`);
}

const utf8 = new TextEncoder();
