/**
 * Texts of an agent card in printable ASCII. Libraries sign a card over different JSON: JavaScript's has characters as they
 * are (RFC 8785), Python's has \u escapes in their place, so a signature over any other character holds in one of them alone.
 */

const WORDS: Readonly<Record<string, string>> = {
  '…': '...',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '·': '-',
  '•': '-',
  '→': '->',
  '×': 'x',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
};

/** A letter is written without its accent; what has no spelling in ASCII by its number. */
export function asciiText(text: string): string {
  return text.replace(/[^\0-~]/gu, (character) => {
    const plain = WORDS[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '');
    const isAscii = /^[\0-~]+$/.test(plain);
    if (isAscii) return plain;
    // A mark that stands alone belongs to the letter before it.
    return plain === '' ? '' : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** JSON with every text in it, and every name of a member, in ASCII. */
export function asciiTexts<T>(value: T): T {
  if (typeof value === 'string') return asciiText(value) as T;
  if (Array.isArray(value)) return value.map(asciiTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [asciiText(name), asciiTexts(member)])) as T;
}
