/** How an agent's model calls the tools of a node: MCP over HTTP, in its present protocol and in the one before. */
import type { JsonObject } from '../../support/peer.ts';
import type { Answered, Desk } from './desk.ts';

const GATE = '/mcp';
const PRESENT = '2026-07-28';
const FORMER = '2025-11-25';

/** A call of a tool, which may be made again. */
export interface ToolCall {
  readonly tool: string;
  readonly given: JsonObject;
  /** The use case that it stands for, with its input as REST has it. */
  readonly call: string;
  readonly input: unknown;
  /** As what a repetition is told. */
  readonly key?: string;
  /** What the client brings back from an earlier round. */
  readonly returned?: JsonObject;
  readonly isFormer?: boolean;
  /** Whether the host opens pages for its person. */
  readonly opensPages?: boolean;
}

export function callTool(desk: Desk, called: ToolCall): Promise<Answered | undefined> {
  const { tool, given, call, input, key, returned = {}, isFormer = false, opensPages = false } = called;
  const params: JsonObject = { name: tool, arguments: given, ...returned };
  if (!isFormer) params['_meta'] = metaOf(opensPages);
  const headers = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': isFormer ? FORMER : PRESENT,
    ...(!isFormer && { 'Mcp-Method': 'tools/call', 'Mcp-Name': tool }),
  };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return desk.post({ call, input, path: GATE, text, headers, ...(key !== undefined && { key }) });
}

function metaOf(opensPages: boolean): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': PRESENT,
    'io.modelcontextprotocol/clientInfo': { name: 'a model', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': opensPages ? { elicitation: { url: {} } } : {},
  };
}
