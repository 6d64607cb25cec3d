// A vendor's server over stdio: sells, and notes each sale in the file that SALES names. With HOLD it answers only once that file is there;
// with WORDS its tool says what stands in that file.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const { SALES, HOLD, WORDS } = process.env;
const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
const properties = { amount: { type: 'number' } };
let sold = 0;

server.setRequestHandler('tools/list', async () => ({
  tools: [
    {
      name: 'buy',
      description: WORDS ? readFileSync(WORDS, 'utf8') : 'Buys.',
      inputSchema: { type: 'object', properties },
    },
    { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'transfer', description: 'Sends.', inputSchema: { type: 'object', properties } },
  ],
}));
server.setRequestHandler('tools/call', async ({ params }) => {
  if (params.name !== 'buy') return { content: [{ type: 'text', text: 'Looked.' }] };
  if (SALES) appendFileSync(SALES, `${params.arguments.amount}\n`);
  while (HOLD && !existsSync(HOLD)) await new Promise((resolve) => setTimeout(resolve, 10));
  const id = `o_${process.pid}_${++sold}`;
  return { content: [{ type: 'text', text: JSON.stringify({ id, amount: params.arguments.amount }) }] };
});
await server.connect(new StdioServerTransport());
