/** Another vendor's payment tool behind a guard, all in this process, for demonstrations: a model's host calls it as it would without. */
import { randomUUID } from 'node:crypto';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import type { Client as NodeClient } from '../../../client/index.ts';
import { openStateFile } from '../../extensions/guard/guardState.ts';
import { Purchases } from '../../extensions/guard/pipe/purchases.ts';
import { Relay } from '../../extensions/guard/pipe/relay.ts';
import { parseGuardText } from '../../extensions/guard/readGuardFile.ts';
import { rulesFor } from '../../extensions/guard/rules/readCall.ts';

/** What a call of the tool gave: the vendor's text, and what the guard says beside it. */
export interface VendorAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** Of a refusal: where a person approves it. */
  readonly approvalUrl?: string | undefined;
}

export interface GuardedVendor {
  pay(amount: number): Promise<VendorAnswer>;
  close(): Promise<void>;
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

interface Buyer {
  readonly agentDid: string;
  readonly principalDid: string;
  /** Of the node, with its address. */
  readonly node: NodeClient;
  readonly address: string;
  /** What the guard keeps. */
  readonly stateFile: string;
}

export async function openGuardedVendor({
  agentDid,
  principalDid,
  node,
  address,
  stateFile,
}: Buyer): Promise<GuardedVendor> {
  const config = parseGuardText(`agentDid = "${agentDid}"\n[node]\nurl = "${address}"\n${RULE}`, 'guard.toml');
  const log = () => {};
  const state = openStateFile(stateFile, Date.now);
  const purchases = new Purchases({
    node: {
      reserve: (input) => node.reserveExternally(input),
      commit: (mandateId, told) => node.commitReservation({ mandateId, ...told }),
      release: (mandateId, reason) => node.releaseReservation({ mandateId, reason }),
    },
    ...{ agentDid, principalDid, state, now: Date.now, newKey: randomUUID, log },
  });
  const [toVendor, vendorEnd] = InMemoryTransport.createLinkedPair();
  await vendorServer().connect(vendorEnd);
  const [clientEnd, front] = InMemoryTransport.createLinkedPair();
  const upstream = { name: 'prints', transport: toVendor, rules: rulesFor(config, { name: 'prints' }, {}) };
  await new Relay(front, [upstream], { purchases, state, unmatched: config.unmatched, log }).start();
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(clientEnd);
  return {
    async pay(amount) {
      const result = await client.callTool({ name: TOOL.name, arguments: { amount: amount * 100, currency: 'USD' } });
      const [{ text = '' } = {}] = result.content as { readonly text?: string }[];
      const refusal = result._meta?.['countersign/refusal'] as
        | { readonly approval?: { readonly url?: string } }
        | undefined;
      return { isError: result.isError === true, text, approvalUrl: refusal?.approval?.url };
    },
    close: () => client.close(),
  };
}

/** Pays whatever it is asked, which is what the guard is for. */
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
