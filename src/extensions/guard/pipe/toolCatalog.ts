/** The tools of one server as its client is shown them: those that changed since a person accepted them are named, and not described. */
import { acceptTools, compareTools, type StateFile, toolHash } from '../guardState.ts';
import type { ToolRule } from '../rules/guardConfig.ts';
import { matches, type UpstreamTool } from '../rules/readCall.ts';
import type { RpcMessage, RpcResponse, UpstreamLink } from './upstreamLink.ts';

const MOST_PAGES = 200;

const ACCEPT = 'accept it in the console of the node, or run countersign guard check --accept.';
const CHANGED = `Its description or schema changed since you accepted it; ${ACCEPT}`;
const ADDED = `It is new since you accepted the tools of its server; ${ACCEPT}`;

/** Every page of it. @param meta what a request of the client’s says of itself, where the protocol wants that of each */
export async function listTools(link: UpstreamLink, meta: unknown): Promise<RpcResponse> {
  const tools: UpstreamTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params: RpcMessage['params'] = {
      ...(meta === undefined ? {} : { _meta: meta }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const answer = await link.request('tools/list', params).answer;
    if (answer.result === undefined) return answer;
    tools.push(...((answer.result['tools'] ?? []) as UpstreamTool[]));
    cursor = answer.result['nextCursor'];
    if (typeof cursor !== 'string') {
      const { nextCursor: _end, ...rest } = answer.result;
      return { result: { ...rest, tools } };
    }
  }
  return { error: { code: -32603, message: `${link.name} lists its tools without an end.` } };
}

/** Accepts what is there where nothing was seen of the server before. @returns why a tool must not be called, by its name */
export function heldBack(
  state: StateFile,
  upstream: string,
  tools: readonly UpstreamTool[],
): ReadonlyMap<string, string> {
  const changes = compareTools(state.read(), upstream, tools);
  if (changes.isFirst) acceptTools(state, upstream, tools);
  return new Map([
    ...changes.added.map((name) => [name, ADDED] as const),
    ...changes.changed.map((name) => [name, CHANGED] as const),
  ]);
}

/** Whether a person has accepted it meanwhile. */
export function isAccepted(state: StateFile, upstream: string, tool: UpstreamTool): boolean {
  const { tools } = state.read();
  const accepted = Object.hasOwn(tools, upstream) ? tools[upstream] : undefined;
  return accepted !== undefined && Object.hasOwn(accepted, tool.name) && accepted[tool.name] === toolHash(tool);
}

/** Words of another may tell a model what to do: what a person has not accepted is not repeated. */
export function shownTool(tool: UpstreamTool, reason: string | undefined, rules: readonly ToolRule[]): UpstreamTool {
  if (reason !== undefined) return { name: tool.name, description: reason, inputSchema: { type: 'object' } };
  if (!losesOutputSchema(tool, rules)) return tool;
  const { outputSchema: _removed, ...rest } = tool;
  return rest as UpstreamTool;
}

/** An offer in place of a result (x402) fits no schema of results, and stock clients then throw it away. */
export function losesOutputSchema(tool: UpstreamTool, rules: readonly ToolRule[]): boolean {
  return tool['outputSchema'] !== undefined && mayAskForPayment(tool, rules);
}

function mayAskForPayment(tool: UpstreamTool, rules: readonly ToolRule[]): boolean {
  if (rules.some((rule) => rule.asks_payment === true && matches(rule, tool.name))) return true;
  const meta = tool['_meta'];
  return typeof meta === 'object' && meta !== null && Object.keys(meta).some((key) => /x402|paymentauth/i.test(key));
}
