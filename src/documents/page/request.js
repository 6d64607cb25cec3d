/** An operation's example as a request: where it goes, what it says, and the same in three languages. */

/** The example of its body; undefined where it takes none. */
export function bodyOf({ operation }) {
  return Object.values(operation.requestBody?.content['application/json'].examples ?? {})[0]?.value;
}

export function needsCredential({ operation }) {
  return operation.security.length > 0 && 'apiKey' in operation.security[0];
}

/**
 * @param values by the names of parameters; those that are empty are left out
 * @param base the node's address, or the way to it from the page
 */
export function addressOf({ path, operation }, values, base) {
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(values[name] ?? '')), path);
  const query = new URLSearchParams();
  for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    if (values[name] !== undefined && values[name] !== '') query.set(name, String(values[name]));
  }
  return base.replace(/\/$/, '') + filled + (query.size > 0 ? `?${query}` : '');
}

/** The examples of its parameters. */
function examplesOf({ operation }) {
  const given = operation.parameters.filter(({ example }) => example !== undefined);
  return Object.fromEntries(given.map(({ name, example }) => [name, example]));
}

export const LANGUAGES = { curl: curlOf, TypeScript: typescriptOf, Python: pythonOf };

function curlOf(entry, baseUrl) {
  const { method } = entry;
  const body = bodyOf(entry);
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(addressOf(entry, examplesOf(entry), baseUrl))}`,
    ...(needsCredential(entry) ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** By the typed client, which has a method of each operation's name. */
function typescriptOf(entry, baseUrl) {
  const input = { ...examplesOf(entry), ...bodyOf(entry) };
  const credential = needsCredential(entry) ? ", credential: { apiKey: process.env.KEY ?? '' }" : '';
  const asked = Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2);
  return `import { countersign } from 'countersign-client';

const client = countersign({ baseUrl: '${baseUrl}'${credential} });
console.log(await client.${entry.operation.operationId}(${asked}));`;
}

/** By the package for Python, which has a method for each operation that takes a credential. */
function pythonOf(entry, baseUrl) {
  const { operationId } = entry.operation;
  if (!needsCredential(entry) || IN_PIECES.includes(operationId)) return plainPythonOf(entry, baseUrl);
  const input = Object.entries({ ...examplesOf(entry), ...bodyOf(entry) });
  const args = input.map(([name, value]) => `    ${pythonName(name)}=${pythonValue(value, 1)},\n`);
  return `import os

from countersign_client import Client

node = Client("${baseUrl}", api_key=os.environ["KEY"])
${hasAnswer(entry) ? 'answer = ' : ''}node.${pythonName(operationId)}(${args.length === 0 ? '' : `\n${args.join('')}`})${hasAnswer(entry) ? '\nprint(answer)' : ''}`;
}

function hasAnswer({ operation }) {
  return operation.responses['204'] === undefined;
}

/** What the package reads piece by piece. */
const IN_PIECES = ['streamEvents', 'downloadBackup'];

/** `agentDid` as `agent_did`; a word of the language ends in an underscore. */
function pythonName(name) {
  const snake = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return snake === 'from' ? 'from_' : snake;
}

function plainPythonOf(entry, baseUrl) {
  const { method } = entry;
  const body = bodyOf(entry);
  const headers = needsCredential(entry) ? ['headers={"Authorization": f"Bearer {os.environ[\'KEY\']}"}'] : [];
  const json = body === undefined ? [] : [`json=${pythonValue(body, 1)}`];
  const args = [JSON.stringify(addressOf(entry, examplesOf(entry), baseUrl)), ...headers, ...json];
  const imports = needsCredential(entry) ? 'import os\n\nimport httpx' : 'import httpx';
  return `${imports}

answer = httpx.${method}(
    ${args.join(',\n    ')},
)
print(answer.status_code, answer.text)`;
}

/** JSON as Python writes it. @param depth of the line that it begins on */
function pythonValue(value, depth) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const pad = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  const parts = Array.isArray(value)
    ? value.map((each) => pythonValue(each, depth + 1))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => `${pad}${part},\n`).join('')}${end}${close}`;
}
