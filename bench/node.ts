/** A node for measuring: its process, registered agents, a merchant, and a policy whose limits count but never bind. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startOptions } from '../scripts/startOptions.mjs';
import { PROGRAM } from '../test/support/command.ts';
import { type JsonObject, makeMessage, makePeer, type Peer } from '../test/support/peer.ts';
import { LOAD_CORE, SERVER_CORE, type Server, startServer } from './server.ts';

export const ADMIN_KEY = `ak_test_${'B'.repeat(32)}`;
export const SHOP = 'shop.example';
const UNLIMITED = '1000000000';

/** Every kind of rule that an intent is checked against, with an hourly velocity limit that is never reached. */
export const RULES = {
  version: '2.0',
  spend: { amount_cap: 100, presence_cap: 200, currency: 'USD', categories: ['groceries', 'electronics', 'household'] },
  merchant: { deny_list: ['blocked-merchant.example', 'scam-store.example'] },
  context: { presence: 'optional', presence_threshold: 100 },
  risk: { velocity_limit: { max_transactions: 1e9, max_amount: 1e12, time_window: '1h' } },
  rails: { allow: ['CARD_RAIL'], priorities: ['CARD_RAIL'] },
};

/** A gate in a thread of its own: the node uses both cores, and shares one of them with the load. */
export const GATE_BESIDE = { GATES: '1' };

export interface BenchNode {
  readonly server: Server;
  readonly dataDir: string;
  readonly issuerDid: string;
  readonly agents: readonly Peer[];
  readonly merchant: Peer;
  readonly principal: Peer;
  readonly adminKey: string;
  readonly rules: typeof RULES;
}

/** Starts a node that limits no rate, on a database that may exist already. */
export async function serveNode(
  name: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  program: string = PROGRAM,
): Promise<Server> {
  mkdirSync(dataDir, { recursive: true });
  const settings = {
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: UNLIMITED,
    SANDBOX_BURST: UNLIMITED,
    GATES: '0',
    ...env,
  };
  const cores = settings.GATES === '0' ? SERVER_CORE : `${SERVER_CORE},${LOAD_CORE}`;
  // As it ships: one bundle, not sources compiled as they are loaded.
  return startServer(name, [...startOptions('.'), program, 'serve'], settings, cores);
}

export async function startBenchNode(
  name: string,
  folder: string,
  agentCount: number,
  env: Readonly<Record<string, string>> = {},
  program: string = PROGRAM,
): Promise<BenchNode> {
  const dataDir = join(folder, name.replaceAll(' ', '-'));
  const server = await serveNode(name, dataDir, env, program);
  const agents = Array.from({ length: agentCount }, () => makePeer());
  const merchant = makePeer();
  await adminRequest(server, 'POST', '/ap2/admin/policies', { name: 'Bench', rules: RULES });
  await adminRequest(server, 'POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  for (const { publicKey } of agents) await adminRequest(server, 'POST', '/ap2/agents', { name: 'Bench', publicKey });
  const card = await adminRequest(server, 'GET', '/.well-known/agent-card.json');
  return {
    server,
    dataDir,
    issuerDid: String(card.did),
    agents,
    merchant,
    principal: makePeer(),
    adminKey: ADMIN_KEY,
    rules: RULES,
  };
}

/** One administrative request. @throws Error on anything but success */
export async function adminRequest(
  server: Server,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(server.address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

export function intentBody(node: Pick<BenchNode, 'principal'>, agent: Peer, extra: JsonObject = {}): JsonObject {
  return {
    agentDid: agent.did,
    principalDid: node.principal.did,
    request: { maxAmount: 42.5, currency: 'USD', vendorHints: { domain: SHOP } },
    ...extra,
  };
}

/** A signed message as the text of a JSON-RPC request. */
export function signedCall(node: Pick<BenchNode, 'issuerDid'>, agent: Peer, type: string, body: JsonObject): string {
  const message = makeMessage(agent, { type, to: node.issuerDid, body });
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } });
}
