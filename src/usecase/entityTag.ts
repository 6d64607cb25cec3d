/** Entity tags (RFC 9110 section 8.8.3): whether a record is as a caller has seen it. */
import { createHash } from 'node:crypto';
import { Fault } from '../../protocol/wire/fault.ts';

/** @param text the record as its answer shows it */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/**
 * Lets a change pass whose caller has seen the record as it is, or says nothing of it.
 * @param shown the record as its answer shows it, undefined where there is none
 * @param ifMatch tags with commas between, or `*` for any; weak tags are never equal here
 * @throws Fault PRECONDITION_FAILED
 */
export function requireMatch(shown: object | undefined, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (shown !== undefined && (tags.includes('*') || tags.includes(tagOf(JSON.stringify(shown))))) return;
  throw new Fault('PRECONDITION_FAILED', 'It was changed since it was read. Read it again, and change that.');
}
