/** Every SQL text in the sources of the statements, as it is written there, for rules that all of them keep. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SqlText {
  /** The file and the function or constant that it stands in. */
  readonly place: string;
  /** What a template puts in stands as `${…}`. */
  readonly sql: string;
}

const FOLDER = 'src/store/statements';
const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

export function sqlTexts(): SqlText[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.sort().flatMap((file) => {
    const source = readFileSync(join(FOLDER, file), 'utf8');
    const names = [...source.matchAll(/^(?:export )?(?:function\*?|const) (\w+)/gm)];
    return quotedIn(source)
      .filter(({ text }) => SQL.test(text))
      .map(({ at, text }) => {
        const name = names.filter(({ index }) => index < at).at(-1)?.[1];
        return { place: `${file.replace(/^.*\//, '')} ${name}`, sql: text };
      });
  });
}

interface Quoted {
  readonly at: number;
  readonly text: string;
}

/** The strings and templates of a source, those within templates too. */
function quotedIn(source: string): Quoted[] {
  const found: Quoted[] = [];
  readCode(source, 0, false, found);
  return found;
}

/** @returns where the code ends: at the brace that closes it, or with the source */
function readCode(source: string, from: number, isInTemplate: boolean, found: Quoted[]): number {
  let depth = 0;
  for (let at = from; at < source.length; ) {
    const character = source.charAt(at);
    if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2;
    else if (`'"\``.includes(character)) {
      const end = endOfQuoted(source, at + 1, character, found);
      found.push({ at, text: source.slice(at + 1, end) });
      at = end + 1;
    } else if (isInTemplate && character === '}' && depth-- === 0) return at;
    else {
      if (character === '{') depth += 1;
      at += 1;
    }
  }
  return source.length;
}

/** @returns where the closing quote is */
function endOfQuoted(source: string, from: number, quote: string, found: Quoted[]): number {
  let at = from;
  while (source[at] !== quote) {
    if (source[at] === '\\') at += 2;
    else if (quote === '`' && source.startsWith('${', at)) at = readCode(source, at + 2, true, found) + 1;
    else at += 1;
  }
  return at;
}
