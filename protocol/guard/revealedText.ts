/** What a stranger wrote, as a person who decides on it sees it: all that a model reads is visible. Pure. */

/** Control characters but the end of a line, and what fonts do not draw: models read messages that are written in such alone. */
const HIDDEN = /(?!\n)\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** @returns the text with each character that hides or reorders named by its number */
export function revealedText(text: string): string {
  return text.replace(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
}
