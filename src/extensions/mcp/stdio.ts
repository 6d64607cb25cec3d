/** `countersign mcp`: the tools over stdio, for hosts that start programs. Nothing but the protocol goes to standard output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { countersign } from '../../../client/rest.ts';
import type { ProgramHost } from '../programHost.ts';
import { clientDesk } from './clientDesk.ts';
import { mcpServer } from './server.ts';

interface Options {
  /** Of the node. */
  readonly url: string;
  readonly apiKey: string;
  /** The agent that buys, where a call names none. */
  readonly agent?: string | undefined;
}

export async function serveTools({ url, apiKey, agent }: Options, host: ProgramHost): Promise<void> {
  const { version } = host;
  const client = countersign({ baseUrl: url, credential: { apiKey } });
  const parts = await host.loadTools();
  const log = (error: Error) => console.error(`countersign mcp: ${error.message}`);
  serveStdio(() => mcpServer(clientDesk(client, agent), { version, log, parts }), { onerror: log });
}
