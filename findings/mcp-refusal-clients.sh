#!/usr/bin/env bash
# Guess: a tool's result over MCP has a text, structured content and perhaps `isError`, and two clients hand a model all three alike.
# Reality: the AI SDK's hands on the texts alone: the data are gone, and a refusal reads as any other result. LangChain's hands on a text
#          and the data in one, and throws for a refusal, whose data are gone.
# Hurts: servers that put into the data what the next call needs (a token, an id), or say by `isError` alone that nothing was paid. The
#        protocol says that data SHOULD be in a text as well.
# Version: npm @ai-sdk/mcp 2.0.99, @langchain/mcp-adapters 1.1.4, @modelcontextprotocol/sdk 1.32.2, run on 2026-11-29. Source: Model Context
#          Protocol 2025-11-25, Tools (structured content, tool execution errors).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
install() {
  mkdir "$1"
  (cd "$1" && npm init --yes > npm.log && npm pkg set type=module >> npm.log &&
    npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact "${@:2}" >> npm.log)
}
install server @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
install ai-sdk @ai-sdk/mcp@2.0.99 zod@4.6.7
install langchain @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3

cat > server/server.mjs <<'PROGRAM'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new McpServer({ name: 'shop', version: '1.0.0' });
const text = (words) => [{ type: 'text', text: words }];
server.registerTool('approve', { description: 'Approves.' }, () => ({
  content: text('Approved. Pay with the token.'),
  structuredContent: { token: 'T1' },
}));
server.registerTool('refuse', { description: 'Refuses.' }, () => ({
  isError: true,
  content: text('Over the limit.'),
  structuredContent: { left: 5 },
}));
await server.connect(new StdioServerTransport());
PROGRAM
cat > ai-sdk/run.mjs <<'PROGRAM'
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Transport } from '@ai-sdk/mcp/mcp-stdio';
import { play, SERVER, version } from '../play.mjs';
version('@ai-sdk/mcp');
const client = await createMCPClient({ transport: new Transport(SERVER) });
const tools = await client.tools();
await play(async (name) => {
  const output = await tools[name].execute({}, { toolCallId: '1', messages: [] });
  return tools[name].toModelOutput({ toolCallId: '1', input: {}, output });
});
await client.close();
PROGRAM
cat > langchain/run.mjs <<'PROGRAM'
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { play, SERVER, version } from '../play.mjs';
version('@langchain/mcp-adapters');
const client = new MultiServerMCPClient({ mcpServers: { shop: { transport: 'stdio', ...SERVER } } });
const tools = await client.getTools();
await play(async (name) => {
  const tool = tools.find((each) => each.name === name);
  return (await tool.invoke({ type: 'tool_call', id: '1', name, args: {} })).content;
});
await client.close();
PROGRAM
cat > play.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
export const SERVER = { command: process.execPath, args: [new URL('server/server.mjs', import.meta.url).pathname] };
export const version = (name) =>
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
export const play = async (call) => {
  for (const name of ['approve', 'refuse']) {
    const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
    console.log(`  ${name}:`, await call(name).then(shown, (error) => `throws ${error.message}`));
  }
};
PROGRAM
cat > expected <<'SEEN'
@ai-sdk/mcp 2.0.99
  approve: {"type":"content","value":[{"type":"text","text":"Approved. Pay with the token."}]}
  refuse: {"type":"content","value":[{"type":"text","text":"Over the limit."}]}
@langchain/mcp-adapters 1.1.4
  approve: {"type":"text","text":"Approved. Pay with the token.","structuredContent":{"token":"T1"}}
  refuse: throws MCP tool 'refuse' on server 'shop' returned an error: Over the limit.
SEEN
for client in ai-sdk langchain; do (cd "$client" && node run.mjs 2> log); done > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }
