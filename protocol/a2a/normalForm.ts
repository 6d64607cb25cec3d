/**
 * What is signed of an A2A message or artifact in v1.0's spelling. Libraries differ in whether they write members that are
 * empty (ProtoJSON leaves default values out), so the normal form has none, and one proof holds however a message travelled.
 */

import { fromBase64url, toBase64 } from '../credential/encodings.ts';

/** The extension under which a message or artifact carries its proof, as a member of its metadata. */
export const DID_PROOF = 'urn:countersign:a2a:did-proof:v1';

type Members = Readonly<Record<string, unknown>>;

/** The members of a part that are the sender's content: an empty text or object says something there. */
const CONTENT: ReadonlySet<string> = new Set(['text', 'data']);

/**
 * The message or artifact without its proof and without members that are null, "", [] or {}, or become so; the text and
 * data of its parts are as they came, and `raw` is padded base64.
 * @param value as parsed JSON, in v1.0's spelling
 */
export function normalForm(value: object): Record<string, unknown> {
  return fullMembers(value, (name, member) => {
    if (name === 'parts' && Array.isArray(member)) return member.map(normalPart);
    return withoutEmpty(name === 'metadata' && isObject(member) ? withoutProof(member) : member);
  });
}

/** Whether a value says no more than its absence. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function normalPart(part: unknown): unknown {
  if (!isObject(part)) return withoutEmpty(part);
  // A library that reads null as an absent member does not write it on.
  const content = Object.entries(part).filter(([name, member]) => CONTENT.has(name) && member != null);
  return {
    ...fullMembers(part, (name, member) => {
      if (CONTENT.has(name)) return undefined;
      return name === 'raw' && typeof member === 'string' ? paddedBase64(member) : withoutEmpty(member);
    }),
    ...Object.fromEntries(content),
  };
}

/** Bytes of protocol buffers are read in either alphabet and without padding, too, and written on in this one spelling. */
function paddedBase64(text: string): string {
  const bytes = fromBase64url(
    text
      .replace(/={1,2}$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  );
  return bytes === undefined ? text : toBase64(bytes);
}

/** Elements of a list stay, since their places count; only members are left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  return isObject(value) ? fullMembers(value, (_, member) => withoutEmpty(member)) : value;
}

/** The members of an object, each as `normal` gives it, that are then not empty. */
function fullMembers(object: object, normal: (name: string, member: unknown) => unknown): Record<string, unknown> {
  const members = Object.entries(object).map(([name, member]) => [name, normal(name, member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function withoutProof(metadata: Members): Members {
  const extension = metadata[DID_PROOF];
  return isObject(extension) ? { ...metadata, [DID_PROOF]: { ...extension, proof: undefined } } : metadata;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
