/** A vendor's MCP server, by its tools and what it answers to a call: the low-level server of the MCP packages, as stock clients reach it. */
import { Server } from '@modelcontextprotocol/server';

export interface DoubleTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}

export type Input = Readonly<Record<string, unknown>>;

/** What a call answers; a silent one never does. */
export const SILENT = Symbol('no answer');
type Answered = object | typeof SILENT;

export interface Vendor {
  tools: readonly DoubleTool[];
  call(name: string, input: Input): Answered | Promise<Answered>;
}

export function vendorServer(vendor: Vendor): Server {
  const server = new Server(
    { name: 'vendor', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: { listChanged: true }, logging: {} },
      instructions: 'Pays.',
    },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: vendor.tools as never }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = await vendor.call(params.name, params.arguments ?? {});
    return answer === SILENT ? new Promise<never>(() => {}) : (answer as never);
  });
  server.setRequestHandler('resources/list', async () => ({ resources: [{ uri: 'file:///terms', name: 'terms' }] }));
  server.setRequestHandler('resources/read', async ({ params }) => ({
    contents: [{ uri: params.uri, text: 'Terms' }],
  }));
  server.setRequestHandler('prompts/list', async () => ({ prompts: [{ name: 'sell' }] }));
  return server;
}

/** A text as the only content. */
export function textResult(value: unknown, more: object = {}): object {
  return { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }], ...more };
}
