/** Names and texts as Python has them. */

/** Words of the language (The Python Language Reference, section 2.3.1), and what pydantic's models have of their own. */
const KEYWORDS =
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';
const TAKEN = [...KEYWORDS.split(' '), 'copy', 'json', 'schema', 'validate', 'dict'];
const WIDTH = 120;

/** `agentDid` as `agent_did`. */
export function snake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A member as a parameter or a field. */
export function fieldName(member: string): string {
  const name = snake(member).replaceAll(/\W/g, '');
  return TAKEN.includes(name) ? `${name}_` : name;
}

/** `agentDid`, `amount_cap` and `@context` as parts of a name of a class. */
export function pascal(name: string): string {
  return name
    .split(/[\W_]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}

export function literalOf(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

/** A text as a docstring, its lines wrapped; nothing for none. */
export function docstring(text: string | undefined, indent: number): string {
  if (text === undefined) return '';
  const pad = ' '.repeat(indent);
  const lines = text.split('\n').flatMap((line) => wrapped(line, WIDTH - indent - '""""""'.length));
  const escaped = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const [first = '', ...more] = escaped.split('\n');
  if (more.length === 0) return `${pad}"""${first}"""\n`;
  const rest = more.map((line) => (line === '' ? '\n' : `${pad}${line}\n`)).join('');
  return `${pad}"""${first}\n${rest}${pad}"""\n`;
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
