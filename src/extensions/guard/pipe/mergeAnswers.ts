/** What several servers answer to one request, as the answer of one. Pure. */
import type { RpcResponse } from './upstreamLink.ts';

/** What every server is asked; by each the member of its answer that is a list. */
const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** What every server is asked. */
export const MERGED: ReadonlySet<string> = new Set([
  ...Object.keys(LISTS),
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
]);

type Result = NonNullable<RpcResponse['result']>;

export function mergeAnswers(method: string, answers: readonly RpcResponse[]): RpcResponse {
  const [first, ...others] = answers;
  if (first === undefined || others.length === 0)
    return first ?? { error: { code: -32603, message: 'No server answered.' } };
  const list = LISTS[method];
  const results = answers.flatMap(({ result }) => (result === undefined ? [] : [result]));
  // A server without prompts answers with an error, and the others have some; a version must suit all of them.
  const failed = answers.find(({ error }) => error !== undefined);
  if (results.length === 0 || (list === undefined && failed !== undefined)) return failed ?? first;
  if (list !== undefined) return { result: mergeLists(list, results) };
  if (method === 'initialize' || method === 'server/discover') return mergeServers(results);
  return first;
}

/** Servers page alike only by chance: what is left of a list after its first page is asked of no server. */
function mergeLists(list: string, results: readonly Result[]): Result {
  const { nextCursor: _dropped, ...rest } = results[0] as Result;
  return { ...rest, [list]: results.flatMap((result) => (result[list] as unknown[] | undefined) ?? []) };
}

function mergeServers(results: readonly Result[]): RpcResponse {
  const versions = new Set(results.map((result) => result['protocolVersion']));
  if (versions.size > 1) {
    const message = `The servers behind the guard speak different versions of MCP: ${[...versions].join(', ')}.`;
    return { error: { code: -32603, message } };
  }
  const supported = results.map((result) => result['supportedVersions']).filter(Array.isArray);
  const common = supported[0]?.filter((version) => supported.every((each) => each.includes(version)));
  const capabilities = Object.assign({}, ...results.map((result) => result['capabilities']));
  const instructions = results.map((result) => result['instructions']).filter((text) => typeof text === 'string');
  return {
    result: {
      ...results[0],
      capabilities,
      ...(common === undefined ? {} : { supportedVersions: common }),
      ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
    },
  };
}

/** @param answer of a server that says what it can do: of tools the guard tells when they change, also where the server does not */
export function withListChanged(answer: RpcResponse): RpcResponse {
  const capabilities = answer.result?.['capabilities'] as { readonly tools?: object } | undefined;
  if (capabilities?.tools === undefined) return answer;
  const tools = { ...capabilities.tools, listChanged: true };
  return { result: { ...answer.result, capabilities: { ...capabilities, tools } } };
}
