/** What is asked of a node with a long history: every list with each of its filters, and what is no list. */

import { allOperations, allRoutes, type OperationName } from '../../src/extensions/nodeOperations.ts';
import type { UseCase } from '../../src/usecase/useCase.ts';
import { adminRequest, type BenchNode, intentBody } from '../node.ts';

/** One question, which is asked many times. */
export interface Operation {
  readonly name: string;
  /** The round makes what must differ from one time to the next. */
  ask(round: number): Promise<void>;
}

/** Lists that are no pages of rows. */
const NO_PAGES = new Set<string>(['tailEvents', 'streamEvents']);

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  listIntents: ['ACTIVE', 'USED', 'EXPIRED'],
  listPayments: ['AUTHORIZED', 'CAPTURED', 'DISPUTED'],
  listAgents: ['ACTIVE', 'REVOKED'],
  listSessions: ['ACTIVE', 'COMPLETED', 'EXPIRED'],
  listSpts: ['ACTIVE', 'USED', 'EXPIRED'],
  listApprovals: ['pending', 'denied', 'approved', 'expired'],
};

/** Where in the history there is something to ask for. */
interface Landmarks {
  readonly intentId: string;
  readonly paymentId: string;
  readonly transactionId: string;
  readonly seq: number;
  readonly size: number;
  readonly eventId: string;
  readonly contextId: string;
  /** A quarter and three quarters of the way. */
  readonly from: string;
  readonly to: string;
}

export async function operationsOf(node: BenchNode, webhookId: string, intents: number): Promise<Operation[]> {
  const landmarks = await findLandmarks(node, intents);
  const { intentId, paymentId, transactionId, seq, size } = landmarks;
  const end = `toSeq=${seq + 99}`;
  const paths = {
    'one intent': `/ap2/intents/${intentId}`,
    'one payment': `/ap2/payments/${paymentId}`,
    'one agent': `/ap2/agents/${node.agents[0]?.did}`,
    'one session': `/a2a/sessions/${landmarks.contextId}`,
    'bundle, summary': `/ap2/evidence/bundle/${transactionId}`,
    'bundle, portable': `/ap2/evidence/bundle/${transactionId}?format=portable`,
    'verification of 100 events': `/ap2/evidence/verify?fromSeq=${seq}&${end}`,
    'proof of inclusion': `/ap2/evidence/checkpoints/${size}/inclusion/${seq}`,
    'export of the last 100': '/ap2/evidence/export?last=100',
    'statistics of shared payment tokens': '/admin/spt/stats/overview',
    'current policy': '/ap2/policies/current',
    metrics: '/metrics',
  };
  const lists = Object.entries(listPaths(node, webhookId, landmarks));
  const asked = [...lists, ...Object.entries(paths)].map(([name, path]) => getting(node, name, path));
  return [...asked, simulation(node), policyChange(node)];
}

function getting(node: BenchNode, name: string, path: string): Operation {
  const headers = { Authorization: `Bearer ${node.adminKey}` };
  return {
    name,
    async ask() {
      const response = await fetch(node.server.address + path, { headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
    },
  };
}

/** Each list without a filter, its second page, with each filter, and with each two of them. */
function listPaths(node: BenchNode, webhookId: string, landmarks: Landmarks): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const { method, path, useCase } of allRoutes) {
    const { shape } = (allOperations[useCase] as UseCase).input as unknown as { shape?: object };
    if (method !== 'GET' || shape === undefined || !('cursor' in shape) || NO_PAGES.has(useCase)) continue;
    // What one person has, such as passkeys, grows with no history.
    if (path.includes(':') || path.startsWith('/ap2/auth/')) continue;
    const filters = Object.keys(shape).filter((key) => key !== 'limit' && key !== 'cursor');
    const given = filters.flatMap((filter) =>
      valuesOf(filter, useCase, node, webhookId, landmarks).map((value) => [filter, value] as const),
    );
    paths[useCase] = path;
    for (const [index, [filter, value]] of given.entries()) {
      paths[`${useCase} ${shown(filter, value)}`] = `${path}?${queryOf([[filter, value]])}`;
      for (const [other, second] of given.slice(index + 1)) {
        if (other === filter || isPrincipal(filter, other)) continue;
        const query = queryOf([
          [filter, value],
          [other, second],
        ]);
        paths[`${useCase} ${shown(filter, value)} ${shown(other, second)}`] = `${path}?${query}`;
      }
    }
  }
  return paths;
}

/** An amount is one of a currency. */
function queryOf(filters: readonly (readonly [name: string, value: string])[]): URLSearchParams {
  const query = new URLSearchParams(filters.map(([name, value]) => [name, value]));
  if (query.has('min') || query.has('max')) query.set('currency', 'USD');
  return query;
}

/** Passkeys are of one or of the other. */
function isPrincipal(...filters: readonly string[]): boolean {
  return filters.includes('agentDid') && filters.includes('principalDid');
}

/** Words are named; ids and times differ from one history to the next. */
function shown(filter: string, value: string): string {
  return filter === 'status' ? `${filter}=${value}` : filter;
}

function valuesOf(
  filter: string,
  useCase: OperationName,
  node: BenchNode,
  webhookId: string,
  { eventId, contextId, from, to }: Landmarks,
): readonly string[] {
  const did = String(node.agents[0]?.did);
  const values: Readonly<Record<string, readonly string[]>> = {
    status: STATUSES[useCase] ?? [],
    agentDid: [did],
    principalDid: [did],
    actorDid: [did],
    contextId: [contextId],
    eventType: ['INTENT_EXPIRED'],
    eventId: [eventId],
    webhookId: [webhookId],
    from: [from],
    to: [to],
    merchant: ['rare.example'],
    agents: [did],
    currency: ['USD'],
    min: ['2'],
    max: ['2'],
    outcome: ['refused'],
    reasonCode: ['AMOUNT_OVER_CAP'],
    state: ['TASK_STATE_COMPLETED'],
  };
  const found = values[filter];
  if (found === undefined) throw new Error(`This benchmark knows no value for the filter ${filter} of ${useCase}.`);
  return found;
}

async function findLandmarks(node: BenchNode, intents: number): Promise<Landmarks> {
  const get = async (path: string) => (await adminRequest(node.server, 'GET', path)) as Record<string, unknown>;
  const middle = Math.floor(intents / 2 / 10) * 10;
  const contextId = `ctx-${middle / 10}`;
  const { data: events } = await get(`/ap2/evidence/search?contextId=${contextId}&eventType=PM_ISSUED`);
  const [event] = events as { seq: number; data: Record<string, string> }[];
  if (event === undefined) throw new Error(`Nothing was bought in ${contextId}.`);
  const { logs } = await get('/ap2/admin/webhooks/logs?limit=1');
  const { data: checkpoints } = await get('/ap2/evidence/checkpoints?limit=1');
  const day = 24 * 3600 * 1000;
  return {
    intentId: String(event.data.intentId),
    paymentId: String(event.data.mandateId),
    transactionId: String(event.data.transactionId),
    seq: event.seq,
    size: (checkpoints as { size: number }[])[0]?.size ?? 0,
    eventId: String((logs as { eventId: string }[])[0]?.eventId),
    contextId,
    from: new Date(Date.now() - 19 * day).toISOString(),
    to: new Date(Date.now() - 6 * day).toISOString(),
  };
}

/** A draft that counts as far back as a limit may: the permission read is enough to ask this. */
function simulation(node: BenchNode): Operation {
  return {
    name: 'simulation of a draft with another window',
    async ask(round) {
      const risk = { velocity_limit: { ...LIMIT, time_window: `${660 + round}h`, scope: 'policy' } };
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, risk };
      const request = { amount: 1, currency: 'USD', agentDid: node.agents[0]?.did };
      await adminRequest(node.server, 'POST', '/ap2/policies/simulate', { rules, request });
    },
  };
}

const LIMIT = { max_transactions: 1e9, max_amount: 1e12 };

/** The change itself, and the first intent that is judged by the limit's new window. */
function policyChange(node: BenchNode): Operation {
  return {
    name: 'policy with another window, first intent',
    async ask(round) {
      const velocity_limit = { ...LIMIT, time_window: `${560 + round}h`, scope: 'policy' };
      const rules = { ...node.rules, risk: { velocity_limit } };
      await adminRequest(node.server, 'POST', '/ap2/admin/policies', { name: 'Bench', rules });
      const agent = node.agents[1] as BenchNode['agents'][number];
      await adminRequest(node.server, 'POST', '/ap2/intents', intentBody(node, agent));
    },
  };
}
