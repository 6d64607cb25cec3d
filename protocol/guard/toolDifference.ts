/** How a tool that its server lists now differs from what a person accepted: all of both, line by line, so that nothing is out of sight. Pure. */
import { revealedText } from './revealedText.ts';

/** A line of what a model is told. What hides or reorders is named by its number. */
interface ToolLine {
  /** Whether it stands in both, in what was accepted alone, or in what is listed now alone. */
  readonly mark: 'both' | 'gone' | 'new';
  readonly text: string;
}

type Mark = ToolLine['mark'];
type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
type Fields = ReadonlyMap<string, Json>;

/** What a model reads as words stands first, and its schemas follow. */
const ORDER = ['name', 'title', 'description', 'annotations', 'inputSchema', 'outputSchema'];
/** Members that are words, and so told as lines. */
const WORDS = new Set(['description', 'title']);
/** What lies deeper stands in one line. */
const MOST_DEPTH = 30;
/** Lines of two texts are joined in pairs up to so many pairs; beyond, all of one is gone and all of the other new. */
const MOST_PAIRS = 250_000;

/**
 * @param accepted what was accepted, as the text of a JSON object
 * @param listed what is listed now, likewise
 */
export function toolDifference(accepted: string, listed: string): readonly ToolLine[] {
  const [was, is] = [accepted, listed].map((text) => fieldsOf(JSON.parse(text) as Json) ?? new Map()) as [
    Fields,
    Fields,
  ];
  const lines: ToolLine[] = [];
  compareFields(was, is, 0, lines);
  return lines;
}

function compareFields(was: Fields, is: Fields, depth: number, lines: ToolLine[]): void {
  const names = [...new Set([...was.keys(), ...is.keys()])].sort((one, other) => rank(one) - rank(other));
  for (const name of names) compareField(name, was.get(name), is.get(name), depth, lines);
}

function rank(name: string): number {
  const found = ORDER.indexOf(name);
  return found === -1 ? ORDER.length : found;
}

function compareField(name: string, was: Json | undefined, is: Json | undefined, depth: number, lines: ToolLine[]) {
  const [former, latter] = depth < MOST_DEPTH ? [fieldsOf(was), fieldsOf(is)] : [];
  const isNested = (was === undefined || former !== undefined) && (is === undefined || latter !== undefined);
  const isWords = WORDS.has(name) && [was, is].every((each) => each === undefined || typeof each === 'string');
  const add = (mark: Mark, text: string, more = 0) =>
    lines.push({ mark, text: '  '.repeat(depth + more) + revealedText(text) });
  const label = /^[\w$#-]+$/.test(name) ? name : JSON.stringify(name);
  const whole: Mark = was === undefined ? 'new' : is === undefined ? 'gone' : 'both';
  if (isNested) {
    add(whole, label);
    compareFields(former ?? new Map(), latter ?? new Map(), depth + 1, lines);
  } else if (isWords) {
    add(whole, label);
    for (const { mark, text } of comparePieces(piecesOf(was as string), piecesOf(is as string)))
      add(mark, text.replace(/^\n/, ''), 1);
  } else {
    const [before, now] = [was, is].map((each) => `${label}: ${JSON.stringify(each)}`) as [string, string];
    if (before === now) add('both', now);
    else {
      if (was !== undefined) add('gone', before);
      if (is !== undefined) add('new', now);
    }
  }
}

/** Those of an object or of a list of objects; undefined for what stands in one line. */
function fieldsOf(value: Json | undefined): Fields | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0 || (isList && entries.every(([, each]) => typeof each !== 'object'))) return undefined;
  return new Map(entries.map(([name, each]) => [isList ? `#${Number(name) + 1}` : name, each]));
}

/** Lines and sentences, each with what leads to it: one that follows leaves the one before as it is. */
function piecesOf(text: string | undefined): string[] {
  return (
    text?.match(/\n?[^\n.!?]*(?:[.!?](?! )[^\n.!?]*)*(?:[.!?](?= )|(?=\n)|$)/g)?.filter((piece) => piece !== '') ?? []
  );
}

/** What stands in both in the same order is joined, as much of it as there is. */
function comparePieces(was: readonly string[], is: readonly string[]): ToolLine[] {
  let start = 0;
  while (start < was.length && was[start] === is[start]) start++;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const both = (text: string): ToolLine => ({ mark: 'both', text });
  return [
    ...was.slice(0, start).map(both),
    ...comparePairs(was.slice(start, was.length - end), is.slice(start, is.length - end)),
    ...was.slice(was.length - end).map(both),
  ];
}

function comparePairs(was: readonly string[], is: readonly string[]): ToolLine[] {
  const width = is.length + 1;
  // The length of what is common to both from there on.
  const common = new Uint32Array(was.length * is.length > MOST_PAIRS ? 0 : (was.length + 1) * width);
  const commonAt = (row: number, column: number) => common[row * width + column] ?? 0;
  if (common.length > 0)
    for (let row = was.length - 1; row >= 0; row--)
      for (let column = is.length - 1; column >= 0; column--)
        common[row * width + column] =
          was[row] === is[column]
            ? commonAt(row + 1, column + 1) + 1
            : Math.max(commonAt(row + 1, column), commonAt(row, column + 1));
  const lines: ToolLine[] = [];
  let [row, column] = [0, 0];
  while (row < was.length || column < is.length) {
    const [former, latter] = [was[row], is[column]];
    if (former !== undefined && former === latter && common.length > 0) {
      lines.push({ mark: 'both', text: former });
      row++;
      column++;
    } else if (
      former !== undefined &&
      (latter === undefined || commonAt(row + 1, column) >= commonAt(row, column + 1))
    ) {
      lines.push({ mark: 'gone', text: former });
      row++;
    } else {
      lines.push({ mark: 'new', text: latter as string });
      column++;
    }
  }
  return lines;
}

const SIGNS = { both: ' ', gone: '-', new: '+' } as const;

/**
 * The same as text, as a terminal shows it.
 * @param accepted undefined where there is nothing to compare with: then each line stands without a sign
 * @param margin before each line
 */
export function differenceText(accepted: string | undefined, listed: string, margin: string): string {
  const lines = toolDifference(accepted ?? listed, listed);
  return lines.map(({ mark, text }) => `${margin}${SIGNS[mark]} ${text}`).join('\n');
}
