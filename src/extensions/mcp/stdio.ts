/** The tools over stdio, for hosts that start programs. Nothing but the protocol goes to standard output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Client } from '../../../client/rest.ts';
import type { ToolParts } from '../tool.ts';
import { clientDesk } from './clientDesk.ts';
import { mcpServer } from './server.ts';

interface Options {
  /** The agent that buys, where a call names none. */
  readonly agent?: string | undefined;
  /** Of this program. */
  readonly version: string;
  /** Of every extension. */
  readonly parts: ToolParts;
}

export function serveTools(client: Client, { agent, version, parts }: Options): void {
  const log = (error: Error) => console.error(`countersign mcp: ${error.message}`);
  serveStdio(() => mcpServer(clientDesk(client, agent), { version, log, parts }), { onerror: log });
}
