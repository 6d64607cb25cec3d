/** The value of a WWW-Authenticate header taken apart (RFC 9110 section 11.6.1): challenges of any scheme, several on one line. */

export interface AuthChallenge {
  /** As received: names of schemes are compared without regard to case. */
  readonly scheme: string;
  /** Values by name, the name in lower case, in the order received; a value as it was before it was quoted. */
  readonly parameters: ReadonlyMap<string, string>;
  /** In what way it is malformed, as the end of a sentence that begins with "it". */
  readonly problem: string | undefined;
}

/** Everything but visible text, spaces and tabs: none of it may stand in a header (RFC 9110 section 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^(${TOKEN})[ \\t]*=[ \\t]*(.*)$`, 's');
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+(.*))?$`, 's');

interface OpenChallenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
  problem: string | undefined;
}

/**
 * The challenges of a header value in their order. A comma ends an item unless it is quoted; an item is a parameter of the
 * challenge before it, or begins the next one.
 * @param line a value of WWW-Authenticate as received, also of several headers that were merged into one
 */
export function parseAuthChallenges(line: string): readonly AuthChallenge[] {
  if (CONTROL.test(line)) return [malformed('holds a control character, which no header has')];
  const challenges: OpenChallenge[] = [];
  for (const item of itemsOf(line)) {
    const parameter = PARAMETER.exec(item);
    const scheme = parameter === null ? SCHEME.exec(item) : null;
    const last = challenges.at(-1);
    if (scheme !== null) challenges.push(begin(scheme[1] as string, scheme[2] ?? ''));
    else if (last === undefined) return [malformed('begins with a part that names no scheme')];
    else if (parameter === null) last.problem ??= 'holds a part that is no parameter';
    else addParameter(last, parameter[1] as string, parameter[2] as string);
  }
  return challenges;
}

/** @param rest nothing, the first parameter, or one value that has no name (token68) */
function begin(scheme: string, rest: string): OpenChallenge {
  const challenge: OpenChallenge = { scheme, parameters: new Map(), problem: undefined };
  const parameter = PARAMETER.exec(rest);
  if (parameter !== null) addParameter(challenge, parameter[1] as string, parameter[2] as string);
  return challenge;
}

function addParameter(challenge: OpenChallenge, name: string, text: string): void {
  const key = name.toLowerCase();
  const value = unquoted(text);
  if (challenge.parameters.has(key)) challenge.problem ??= `names ${key} twice`;
  else if (value === undefined) challenge.problem ??= `has ${key} in quotes that do not end`;
  else if (!value.isWellFormed()) challenge.problem ??= `has half a character in ${key}`;
  else challenge.parameters.set(key, value);
}

/**
 * What a value says: of a quoted one up to its end, what follows it is no part of it; else all of it.
 * @returns undefined for quotes that do not end
 */
function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  let value = '';
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"') return value;
    if (letter !== '\\') {
      value += letter;
      continue;
    }
    at += 1;
    // Not of RFC 9110: mppx writes what is no Latin-1 so, since a header carries no other characters.
    const code = text.charAt(at) === 'u' ? /^[0-9A-Fa-f]{4}/.exec(text.slice(at + 1, at + 5))?.[0] : undefined;
    value += code === undefined ? text.charAt(at) : String.fromCharCode(Number.parseInt(code, 16));
    if (code !== undefined) at += 4;
  }
  return undefined;
}

/** What stands between commas, without the spaces around it; what quotes hold is not looked into. */
function itemsOf(line: string): readonly string[] {
  const items: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at += 1) {
    const letter = line.charAt(at);
    if (isQuoted && letter === '\\') at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    if (at < line.length && (letter !== ',' || isQuoted)) continue;
    items.push(trimmed(line.slice(start, at)));
    start = at + 1;
  }
  return items.filter((item) => item !== '');
}

/** Without spaces and tabs at both ends, in time that grows with the text and not with its square. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function malformed(problem: string): AuthChallenge {
  return { scheme: '', parameters: new Map(), problem };
}
