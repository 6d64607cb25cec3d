/** Text of untrusted origin that people read: names that show something, lines in which nothing moves or hides. */
import { z } from 'zod';

/** Control characters, and characters that reorder or hide text (Unicode Cc, Cf, Zl, Zp). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A letter, digit, mark of punctuation or symbol that a font draws; U+2800 is a blank that counts as a symbol. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Text for one line: no character in it can move or hide the text beside it. */
export function inertText(text: string): string {
  return text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
}

/** Inert text in which no program of mail or chat finds an address to make a link of: a name may be written by a stranger. */
export function linklessText(text: string): string {
  return inertText(text)
    .replace(/:(?=\/\/)/g, ': ')
    .replace(/(?<=[\p{L}\p{N}])([.@])(?=\p{L}[\p{L}\p{N}-]+)/gu, '$1 ');
}

function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A name for people, without blanks around it. @param max characters */
export function visibleName(max: number) {
  return z.string().trim().min(1).max(max).refine(isVisible, 'must have a character that can be seen');
}
