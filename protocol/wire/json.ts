/** Parses untrusted JSON: I-JSON (RFC 7493) of limited size and depth, so that it has one canonical form. */
import { z } from 'zod';
import { Fault } from './fault.ts';

export const MAX_JSON_BYTES = 262_144;
const MAX_JSON_DEPTH = 32;

/** For a text that is not JSON; all other problems are plain Faults. */
export class JsonSyntaxFault extends Fault {
  constructor(message: string) {
    super('BAD_REQUEST', message);
  }
}

interface JsonLimits {
  /** The nesting of objects and arrays; a flat object has 1. */
  readonly maxDepth?: number;
  /** UTF-8 bytes. */
  readonly maxBytes?: number;
}

/**
 * The value of a JSON text.
 * @throws JsonSyntaxFault when it is not JSON
 * @throws Fault PAYLOAD_TOO_LARGE above `maxBytes` (262144 when not given)
 * @throws Fault BAD_REQUEST, with the path, for a member named twice or `__proto__`, a number beyond a double, a lone
 * surrogate, or nesting deeper than `maxDepth` (32 when not given)
 */
export function parseJson(text: string, limits: JsonLimits = {}): unknown {
  refuseSize(text, limits.maxBytes ?? MAX_JSON_BYTES);
  const value = parse(text);
  const walk = new Walk(limits.maxDepth ?? MAX_JSON_DEPTH, !text.isWellFormed() || text.includes('\\u'));
  const problem = walk.visit(value, 0);
  if (problem !== undefined) throw faultAt(problem.path.reverse(), problem.message);
  // JSON.parse keeps one of two members with the same name, so the value then has fewer members than the text.
  if (countNames(text) !== walk.members) throw faultAt(findDuplicate(text) ?? [], 'is there twice');
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws JsonSyntaxFault when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonSyntaxFault('The bytes are not UTF-8 text.');
  }
}

function refuseSize(text: string, maxBytes: number): void {
  // A UTF-16 unit takes one to three bytes, so the length alone decides for most texts.
  const tooLarge =
    text.length > maxBytes || (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes);
  if (tooLarge) throw new Fault('PAYLOAD_TOO_LARGE', `The JSON text must be at most ${maxBytes} bytes.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonSyntaxFault(`The text is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

interface Problem {
  /** From the problem up to the root. */
  readonly path: (string | number)[];
  readonly message: string;
}

/** One pass over a value. The path is built only when a problem was found, on the way back. */
class Walk {
  members = 0;
  readonly #maxDepth: number;
  readonly #checkText: boolean;

  constructor(maxDepth: number, checkText: boolean) {
    this.#maxDepth = maxDepth;
    this.#checkText = checkText;
  }

  visit(value: unknown, depth: number): Problem | undefined {
    if (typeof value === 'string') {
      if (this.#checkText && !value.isWellFormed()) return { path: [], message: 'holds half a surrogate pair' };
      return undefined;
    }
    if (typeof value === 'number') {
      return Number.isFinite(value) ? undefined : { path: [], message: 'is too large a number' };
    }
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= this.#maxDepth) return { path: [], message: `is nested deeper than ${this.#maxDepth} levels` };
    return Array.isArray(value) ? this.#visitArray(value, depth + 1) : this.#visitObject(value, depth + 1);
  }

  #visitArray(array: readonly unknown[], depth: number): Problem | undefined {
    for (let index = 0; index < array.length; index += 1) {
      const problem = this.visit(array[index], depth);
      if (problem !== undefined) return within(problem, index);
    }
    return undefined;
  }

  #visitObject(object: object, depth: number): Problem | undefined {
    const names = Object.keys(object);
    this.members += names.length;
    for (const name of names) {
      if (name === '__proto__') return { path: [name], message: 'is not a name a member may have' };
      if (this.#checkText && !name.isWellFormed())
        return { path: [], message: 'names a member with half a surrogate pair' };
      const problem = this.visit((object as Record<string, unknown>)[name], depth);
      if (problem !== undefined) return within(problem, name);
    }
    return undefined;
  }
}

function within(problem: Problem, at: string | number): Problem {
  problem.path.push(at);
  return problem;
}

const MAX_SHOWN_PATH = 200;

function faultAt(path: readonly (string | number)[], message: string): Fault {
  const shown = path.join('.').slice(0, MAX_SHOWN_PATH);
  const subject = shown === '' ? 'The JSON value' : `The JSON member "${shown}"`;
  return new Fault('BAD_REQUEST', `${subject} ${message}.`, [{ path: shown, message }]);
}

/** An object or array that is open at a position of the text. */
interface Open {
  /** Names seen so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The member or index being read. */
  at: string | number;
}

/**
 * The number of members in all objects of a JSON text, including duplicates: one per colon outside strings.
 * @param text well-formed JSON
 */
function countNames(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) members += 1;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return members;
}

/**
 * The path of the first duplicate member.
 * @param text well-formed JSON
 */
function findDuplicate(text: string): (string | number)[] | undefined {
  const open: Open[] = [];
  let string = '';
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    switch (text.charAt(at)) {
      case '{':
        open.push({ names: new Set(), at: '' });
        break;
      case '[':
        open.push({ names: undefined, at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof inside?.at === 'number') inside.at += 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        string = text.slice(at, end + 1);
        at = end;
        break;
      }
      case ':': {
        const name = JSON.parse(string) as string;
        if (inside === undefined) break;
        inside.at = name;
        if (inside.names?.has(name)) return open.map((container) => container.at);
        inside.names?.add(name);
      }
    }
  }
  return undefined;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The position of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Any JSON object, and as it came: the library's own record is described the same, and copies the object member by member.
 * The members that a copy would leave out, `__proto__`, are refused where JSON is parsed.
 */
export function anyObject() {
  const schema = z.record(z.string(), z.unknown());
  const { parse } = schema._zod;
  const check: typeof parse = (payload, context) => (isPlain(payload.value) ? payload : parse(payload, context));
  schema._zod.parse = check;
  schema._zod.run = check;
  return schema;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** @param most counting ends beyond it @returns the number, or one that is greater than `most` */
export function countMembers(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value);
  if (inner.length === 0) return 1;
  let count = 0;
  for (const each of inner) {
    count += countMembers(each, most - count);
    if (count > most) break;
  }
  return count;
}
