/** Finds duplicate members in a JSON text, of which JSON.parse silently keeps the last. */

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
export function countMembers(text: string): number {
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
export function findDuplicate(text: string): (string | number)[] | undefined {
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
