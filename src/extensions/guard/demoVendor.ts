/** Another vendor's payment tool behind a guard, all in this process, for demonstrations: a model's host calls it as it would without. */
import { randomUUID } from 'node:crypto';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import type { Client as NodeClient } from '../../../client/index.ts';
import { openStateFile } from './guardState.ts';
import { Purchases } from './pipe/purchases.ts';
import { Relay } from './pipe/relay.ts';
import { parseGuardText } from './readGuardFile.ts';
import { askedBy } from './reservationNode.ts';
import { rulesFor } from './rules/readCall.ts';

/** What a call of the tool gave: the vendor's text, and what the guard says beside it. */
interface VendorAnswer {
  readonly isError: boolean;
  readonly text: string;
}

interface GuardedVendor {
  /** @param amount in whole USD */
  pay(amount: number): Promise<VendorAnswer>;
}

const TOOL = {
  name: 'create_payment',
  description: 'Pays for prints.',
  inputSchema: {
    type: 'object' as const,
    properties: { amount: { type: 'integer', description: 'In cents.' }, currency: { type: 'string' } },
    required: ['amount', 'currency'],
  },
};

/** As it stands in a guard.toml. */
const RULE = `
[[tool]]
match = "create_payment"
amount = "$.amount"
unit = "minor"
currency = "$.currency"
merchant = "prints.example"
reference = "$.id"
`;

interface DemoOptions {
  readonly agentDid: string;
  readonly principalDid: string;
  /** Of the node, with its address. */
  readonly node: NodeClient;
  readonly address: string;
  /** What the guard keeps. */
  readonly stateFile: string;
  /** What is shown while the vendor stands there. */
  play(vendor: GuardedVendor): Promise<void>;
}

export async function runDemoVendor(options: DemoOptions): Promise<void> {
  const { agentDid, principalDid, node, address, stateFile, play } = options;
  const config = parseGuardText(`agentDid = "${agentDid}"\n[node]\nurl = "${address}"\n${RULE}`, 'guard.toml');
  const log = () => {};
  const state = openStateFile(stateFile, Date.now);
  const purchases = new Purchases({
    node: askedBy(node),
    ...{ agentDid, principalDid, state, now: Date.now, newKey: randomUUID, log },
  });
  const [toVendor, vendorEnd] = InMemoryTransport.createLinkedPair();
  await vendorServer().connect(vendorEnd);
  const [clientEnd, front] = InMemoryTransport.createLinkedPair();
  const upstream = { name: 'prints', transport: toVendor, rules: rulesFor(config, { name: 'prints' }, {}) };
  await new Relay(front, [upstream], { purchases, state, unmatched: config.unmatched, log }).start();
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(clientEnd);
  try {
    await play({ pay: (amount) => pay(client, amount) });
  } finally {
    await client.close();
  }
}

async function pay(client: Client, amount: number): Promise<VendorAnswer> {
  const result = await client.callTool({ name: TOOL.name, arguments: { amount: amount * 100, currency: 'USD' } });
  const [{ text = '' } = {}] = result.content as { readonly text?: string }[];
  return { isError: result.isError === true, text };
}

/** The vendor pays each amount that it is asked for: only the guard limits it. */
function vendorServer(): Server {
  const server = new Server({ name: 'prints', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools: [TOOL] }));
  server.setRequestHandler('tools/call', async () => ({
    content: [
      { type: 'text' as const, text: JSON.stringify({ id: `pay_${randomUUID().slice(0, 8)}`, status: 'paid' }) },
    ],
  }));
  return server;
}
