/**
 * Each list with each combination of its filters, from the table of use cases: the engine finds the rows by an index, for
 * every filter that is an equality, and in their order. And each statement of a purchase, and of what is asked of one
 * afterwards: it finds its rows by more than their tenant.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../protocol/wire/id.ts';
import type { Caller } from '../../src/access/caller.ts';
import { allOperations, type OperationName } from '../../src/extensions/nodeOperations.ts';
import { insertUser } from '../../src/store/statements/people/users.ts';
import { insertPrincipal } from '../../src/store/statements/registry/principals.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { all, run, type Statement, type Store, type Value } from '../../src/store/store.ts';
import { VIEWS } from '../../src/store/views/views.ts';
import type { Call } from '../../src/usecase/call.ts';
import { parseInput, type UseCase } from '../../src/usecase/useCase.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { addRows } from '../support/oldRows.ts';
import { watched } from '../support/watched.ts';
import type { Loose } from '../support/world.ts';

const NO_LISTS = new Set<string>(['tailEvents', 'streamEvents']);
const lists = (Object.keys(allOperations) as OperationName[]).filter((name) => {
  const { shape } = (allOperations[name] as UseCase).input as unknown as { shape?: object };
  return shape !== undefined && 'cursor' in shape && !NO_LISTS.has(name);
});

const AGENT = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
const START = '2026-01-01T00:00:00Z';
const ROWS = 4000;
const TIME = Date.UTC(2026, 0, 15);
const TENANTS = 4;
const TASK_STATES = ['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED', 'TASK_STATE_REJECTED', 'TASK_STATE_FAILED'];
/** So many of each, so that a filter leaves few rows. */
const GROUPS = 8;
const named = (first: string) =>
  Array.from({ length: GROUPS }, (_, group) => (group === 0 ? first : `${first}${group}`));

/** What the rows hold in the columns that are filtered by. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  agent_did: named(AGENT),
  webhook_id: named('wh_1'),
  event_id: named('evt_1'),
  actor_did: named(AGENT),
  context_id: named('ctx-1'),
  transaction_id: named('txn_1'),
  merchant: named('shop.example'),
  state: ['OPEN', 'DONE', 'DONE', 'DONE', 'DONE', 'DONE', 'DONE', 'DONE'],
};

const PERSON = {
  id: 'usr_x',
  issuer: 'https://people.example',
  subject: 'x',
  did: 'did:key:x',
  email: null,
  role: 'OWNER',
  created_at: 1,
  last_login_at: 1,
  name: null,
};

/** A value for each filter. A new filter needs one here, and an index. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  agentDid: [AGENT],
  agents: [AGENT],
  did: [AGENT],
  principalDid: [AGENT],
  actorDid: [AGENT],
  contextId: ['ctx-1'],
  state: ['TASK_STATE_AUTH_REQUIRED'],
  eventType: ['TYPE_1'],
  eventId: ['evt_1'],
  webhookId: ['wh_1'],
  merchant: ['shop.example'],
  outcome: ['allowed', 'refused', 'approval'],
  reasonCode: ['AMOUNT_OVER_CAP'],
  from: [START],
  to: ['2026-02-01T00:00:00Z'],
  currency: ['USD'],
  min: ['1'],
  max: ['1', '2'],
  sort: ['oldest', 'largest', 'smallest'],
  id: [PERSON.id],
  status: [
    'ACTIVE',
    'EXPIRED',
    'USED',
    'COMPLETED',
    'CAPTURED',
    'REVOKED',
    'pending',
    'approved',
    'expired',
    'needs_response',
  ],
};

/** What is looked for among the few rows that another filter leaves. */
const AMONG_FEW: Readonly<Record<string, readonly string[]>> = {
  context_id: ['event_type', 'actor_did', 'agent_did', 'state'],
  event_id: ['webhook_id'],
  // At most fifty of them are named.
  did: ['tenant_id', 'status'],
};

/** What people make by hand, and what banks dispute: few rows, which need no index of their own to be listed. */
const FEW = [
  'merchants',
  'mandate_issuers',
  'instruments',
  'wallets',
  'guards',
  'policies',
  'users',
  'logins',
  'invitations',
  'api_keys',
  'webhooks',
  'passkeys',
  'disputes',
];

/** The tables that are listed by other columns than those of their keys. */
const FILLED = [
  'policies',
  'agents',
  'sessions',
  'intents',
  'payments',
  'approval_requests',
  'shared_payment_tokens',
  'webhook_attempts',
  'passkeys',
  'instruments',
  'merchants',
  'users',
  'logins',
  'invitations',
  'api_keys',
  'webhooks',
  'evidence',
  'evidence_subtrees',
  'limit_buckets',
  'limit_tails',
  'requests',
  'approvals',
  'rail_attempts',
  'tasks',
];

interface Asked {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
}

/** The statements of a list, of its first page and, where it has one, of its next. */
async function statementsOfList(
  node: MemoryNode,
  name: OperationName,
  input: object,
): Promise<Statement[] | undefined> {
  const statements: Statement[] = [];
  const store = watched(node.deps.store, statements);
  const useCase = allOperations[name] as UseCase;
  const run = async (more: object) => {
    const parsed = useCase.input.safeParse({ ...input, ...more });
    if (parsed.success)
      await useCase.run(
        { ...node.deps, store },
        { caller: callerFor(node, useCase), reply: { kind: 'json' } },
        parsed.data,
      );
    return parsed.success;
  };
  if (!(await run({}))) return undefined;
  for (const place of [
    'x',
    7,
    { mandate_id: 'x' },
    { amount_minor: 7, mandate_id: 'x' },
    { amount: 7, seq: 7 },
    { place: 'x', created_at: 7, did: 'x' },
    { place: 'x', created_at: 7, context_id: 'x' },
    { place: 'x', created_at: 7, id: 'x', version: 7 },
    // Later than all, so that what is left to read is not nothing.
    [TIME * 2, 'x'],
  ]) {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
    await run({ cursor }).catch(() => {});
  }
  return statements;
}

/** What is a person's own is asked for by one, and what an OWNER alone may see by the node itself. */
function callerFor({ owner }: MemoryNode, { permission }: UseCase): Caller {
  if (permission === 'admin') return { ...owner, kind: 'node' };
  return permission === 'self' ? { ...owner, kind: 'session', userId: PERSON.id, loginId: 'login_x' } : owner;
}

async function everyList(node: MemoryNode): Promise<Asked[]> {
  const asked: Asked[] = [];
  const { tenantId } = node.owner;
  await node.deps.store.write(tenantId, function* () {
    yield* insertUser({ ...PERSON, tenant_id: tenantId });
    yield* insertPrincipal({ tenant_id: tenantId, did: AGENT, name: 'A principal', created_at: 1 });
  });
  for (const name of lists) {
    const { shape } = (allOperations[name] as UseCase).input as unknown as { shape: object };
    const filters = Object.keys(shape).filter((key) => key !== 'limit' && key !== 'cursor');
    for (const filter of filters)
      assert.ok(FILTERS[filter], `${name} has a filter "${filter}" that this test does not know`);
    let inputs: Record<string, string>[] = [{}];
    for (const filter of filters) {
      inputs = inputs.flatMap((input) => [
        input,
        ...(FILTERS[filter] ?? []).map((value) => ({ ...input, [filter]: value })),
      ]);
    }
    for (const input of inputs) {
      const statements = await statementsOfList(node, name, input);
      if (statements !== undefined) asked.push({ name, input, statements });
    }
  }
  return asked;
}

/** The tables that grow with each purchase: a read of one by its tenant alone reads all that was ever bought. */
const GROWING = [
  'intents',
  'payments',
  'approvals',
  'cart_signatures',
  'approval_requests',
  'requests',
  'sessions',
  'rail_attempts',
  'evidence',
  'evidence_subtrees',
  'limit_buckets',
  'limit_tails',
  'spend_sums',
  'tasks',
];

/** The statements of a purchase in a session, and of each question about it that is no list. */
async function statementsOfPurchase(node: MemoryNode): Promise<Statement[]> {
  const { did, caller } = await node.agent();
  const statements: Statement[] = [];
  const deps = { ...node.deps, store: watched(node.deps.store, statements) };
  const ask = async (name: OperationName, input: object, more: Partial<Call> = {}): Promise<Loose> => {
    const useCase = allOperations[name] as UseCase;
    const given: Call = { caller: node.owner, reply: { kind: 'json' }, ...more };
    const { text } = await useCase.run(deps, given, parseInput(useCase.input, input));
    if (typeof text === 'string') return JSON.parse(text);
    for await (const _piece of text.pieces) {
      // An export asks while it is read.
    }
    return undefined;
  };
  const velocity_limit = { max_transactions: 100, max_amount: 10_000, time_window: '1h', scope: 'policy' };
  const anomaly = { min_history: 2, max_deviation: 3, action: 'presence' };
  const context = { presence: 'optional', presence_threshold: 900, presence_new_merchant: false };
  const rules = {
    version: '2.0',
    spend: { amount_cap: 1000, currency: 'USD' },
    context,
    risk: { velocity_limit, anomaly, duplicate: { window: '10m', action: 'presence', max: 100 } },
  };
  await ask('createPolicy', { name: 'Each rule', rules });
  await ask('createSession', { contextId: 'ctx-1', agentDid: did, userDid: did });
  const request = { maxAmount: 10, currency: 'USD' };
  const inSession = { contextId: 'ctx-1', caller };
  const { intentVc } = await ask('issueIntent', { agentDid: did, principalDid: did, request }, inSession);
  const { cartMandate } = await ask('demoAp2Cart', { domain: 'shop.example', amount: 10, currency: 'USD' });
  await ask('validateAp2Cart', { intentId: intentVc.credentialSubject.mandateId, cartMandate });
  const { cartVc } = await ask('demoCart', { payerDid: did, domain: 'shop.example', amount: 10, currency: 'USD' });
  const { approvalToken } = await ask('validateCart', { intentVc, cartVc });
  const { pmVc } = await ask('mandatePayment', { approvalToken });
  const { mandateId } = pmVc.credentialSubject;
  const { transactionId, intentId } = await ask('getPayment', { mandateId });
  await ask('capturePayment', { mandateId });
  await ask('refundPayment', { mandateId, amount: 1 });
  await ask('getIntent', { mandateId: intentId });
  await ask('evidenceBundle', { transactionId });
  await ask('getDecisions', { transactionId });
  await ask('evidenceBundle', { transactionId, format: 'portable' });
  const { data } = await ask('listCheckpoints', {});
  await ask('proveInclusion', { size: data[0].size, seq: 1 });
  await ask('proveConsistency', { size: data[0].size, from: data[0].size });
  await ask('verifyEvidence', {});
  for (const filter of [{}, { last: 2 }, { actorDid: did }, { eventTypes: ['PM_ISSUED'], last: 2 }, { from: START }])
    await ask('exportEvidence', filter);
  await ask('showSpend', { by: 'merchant', from: '2026-01-01' });
  await ask('showAttention', {});
  for (const q of [did, 'Ag', 'shop', mandateId, transactionId, intentId, '10', '10 USD']) await ask('search', { q });
  await ask('simulateDraft', { rules, request: { agentDid: did, amount: 10, currency: 'USD' } });
  // What was bought leaves the windows of the limit.
  node.clock.now += 3_600_000;
  const later = await ask('issueIntent', { agentDid: did, principalDid: did, request });
  const { cartVc: next } = await ask('demoCart', { payerDid: did, domain: 'shop.example', amount: 9, currency: 'USD' });
  const approved = await ask('validateCart', { intentVc: later.intentVc, cartVc: next });
  await ask('mandatePayment', { approvalToken: approved.approvalToken });
  return statements;
}

/** Tables are named by the engine; parts of a page that are joined are not. */
const isTable = (name: string) => LISTED.some((each) => each.name === name) && !FEW.includes(name);
const LISTED: readonly { readonly name: string }[] = [...TABLES, ...VIEWS];

/** The columns that each page of a statement asks to equal something. */
function equalities(sql: string): string[][] {
  return [...sql.matchAll(/WHERE ([^()]*(?:\([^()]*\)[^()]*)*?) ORDER BY/g)].map(([, where]) =>
    [...String(where).matchAll(/(\w+) = \?/g)].map(([, column]) => String(column)),
  );
}

function needed(columns: readonly string[]): readonly string[] {
  const among = columns.flatMap((column) => AMONG_FEW[column] ?? []);
  return columns.filter((column) => !among.includes(column));
}

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Without what reading a view adds: up to where it has its rows, and those that the ledger has since, in their own order. */
function ownSteps(steps: readonly PlanStep[]): PlanStep[] {
  const left: PlanStep[] = [];
  const added = new Set<number>();
  const tails = new Set(steps.filter(({ detail }) => detail.includes('(rowid>?)')).map(({ parent }) => parent));
  for (const step of steps) {
    if (added.has(step.parent) || step.detail.startsWith('SCALAR SUBQUERY') || tails.has(step.parent))
      added.add(step.id);
    else left.push({ ...step, detail: step.detail.replace(/ (?:main|views)\./, ' ') });
  }
  return left;
}

async function sqliteFaults(store: Store, { sql, args }: Statement): Promise<string[]> {
  const steps = ownSteps(await store.read(() => all<PlanStep>(`EXPLAIN QUERY PLAN ${sql}`, ...args)));
  const faults: string[] = [];
  const pages = equalities(sql);
  let page = 0;
  for (const { parent, detail } of steps) {
    const [, scanned] = /^SCAN (\w+)/.exec(detail) ?? [];
    if (scanned !== undefined && isTable(scanned)) faults.push(detail);
    const touches = steps.some(
      (other) =>
        other.parent === parent &&
        /^(SEARCH|SCAN) (\w+)/.test(other.detail) &&
        isTable(other.detail.split(' ')[1] as string),
    );
    if (detail.startsWith('USE TEMP B-TREE') && touches) faults.push(detail);
    if (!detail.startsWith('SEARCH')) continue;
    // The row of an entry of an index.
    if (/\(tenant_id=\? AND (?:seq|mandate_id)=\?\)/.test(detail)) continue;
    if (FEW.includes(detail.split(' ')[1] ?? '')) continue;
    const missing = needed(pages[page] ?? []).filter((column) => !detail.includes(`${column}=?`));
    if (missing.length > 0) faults.push(`${missing.join(' and ')} without an index: ${detail}`);
    page += 1;
  }
  return faults;
}

/** Where a statement reads a growing table by its tenant alone, or whole. A limit bounds what it reads. */
async function sqliteSpreads(store: Store, { sql, args }: Statement): Promise<string[]> {
  // As a writer, since the plan of a change counts as one.
  const steps = await store.write('t', () => all<PlanStep>(`EXPLAIN QUERY PLAN ${sql}`, ...args));
  return ownSteps(steps)
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, way, name = '', constraints = ''] = /^(SCAN|SEARCH) (\w+)(?:.*\((.*)\))?/.exec(detail) ?? [];
      if (way === undefined || !GROWING.includes(name)) return false;
      return way === 'SCAN' || (constraints === 'tenant_id=?' && !/LIMIT/.test(sql));
    });
}

async function postgresSpreads(store: Store, { sql, args }: Statement): Promise<string[]> {
  const faults: string[] = [];
  const look = (plan: Plan): void => {
    const name = plan['Relation Name'];
    if (name !== undefined && GROWING.includes(name) && plan['Node Type'] !== 'ModifyTable') {
      const condition = plan['Index Cond'] ?? '';
      const columns = [...condition.matchAll(/\(*(\w+)\)*(?:::\w+)? (?:=|<|>)/g)].map(([, column]) => column);
      const byTenant = columns.every((column) => column === 'tenant_id');
      if (byTenant && !/LIMIT/.test(sql)) faults.push(`${plan['Node Type']} on ${name}: ${condition}`);
    }
    for (const each of plan.Plans ?? []) look(each);
  };
  for (const each of await explained(store, { sql, args })) look(each);
  return faults;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

async function explained(store: Store, { sql, args }: Statement): Promise<Plan[]> {
  const rows = await store.read(function* () {
    // The best plan is the one that looks at the fewest rows, as it is with a million of them.
    yield* run('SET LOCAL random_page_cost = 0');
    yield* run('SET LOCAL seq_page_cost = 0');
    yield* run('SET LOCAL cpu_tuple_cost = 1');
    // What remains with these off cannot be done otherwise.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
      yield* run(`SET LOCAL enable_${way} = off`);
    return yield* all<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${sql}`, ...args);
  });
  return (rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan);
}

async function postgresFaults(store: Store, { sql, args }: Statement): Promise<string[]> {
  const faults: string[] = [];
  const allowed = equalities(sql).flatMap((columns) => columns.filter((column) => !needed(columns).includes(column)));
  const touches = (plan: Plan): boolean =>
    isTable(plan['Relation Name'] ?? '') ||
    (plan.Plans ?? []).some((each) => each['Node Type'] !== 'Limit' && touches(each));
  const look = (plan: Plan): void => {
    const type = plan['Node Type'];
    const isFew = FEW.includes(plan['Relation Name'] ?? '');
    if (type === 'Seq Scan' && !isFew) faults.push(`Seq Scan on ${plan['Relation Name']}`);
    if (type.includes('Sort') && touches(plan)) faults.push(`${type} of rows`);
    const filtered = [...(plan.Filter ?? '').matchAll(/\((\w+) = /g)].map(([, column]) => String(column));
    const missing = filtered.filter((column) => !allowed.includes(column));
    if (missing.length > 0 && !isFew) faults.push(`${missing.join(' and ')} without an index: ${plan.Filter}`);
    for (const each of plan.Plans ?? []) look(each);
  };
  for (const each of await explained(store, { sql, args })) look(each);
  return faults;
}

/** Rows of each table that is listed: some agents, types and contexts each, and every status. */
async function fill(store: Store, tenantId: string): Promise<void> {
  const tenants = [tenantId, ...Array.from({ length: TENANTS - 1 }, (_, number) => `tnt_${number}`)];
  for (const id of tenants) {
    await store.write(id, () => run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', id, 'x', 1));
  }
  const statuses = FILTERS.status ?? [];
  for (const listed of TABLES.filter(({ name }) => FILLED.includes(name))) {
    await addRows(store, listed, {
      tenantId,
      time: TIME,
      count: ROWS,
      cells: (number) => {
        const group = Math.floor(number / TENANTS) % GROUPS;
        const cells: Record<string, Value> = { tenant_id: tenants[number % TENANTS] as string };
        if (listed.columns.status?.type === 'TEXT') {
          cells.status = statuses[Math.floor(number / TENANTS / GROUPS) % statuses.length] as string;
        }
        // Ids of the time at which all of them are.
        if (listed.name === 'payments') cells.mandate_id = firstIdAt('pm_', TIME + number);
        if (listed.name === 'intents') cells.mandate_id = firstIdAt('intent_', TIME + number);
        for (const column of ['seq', 'number']) if (column in listed.columns) cells[column] = number;
        for (const [column, values] of Object.entries(VALUES)) {
          if (column in listed.columns && !listed.key.includes(column)) cells[column] = values[group] as string;
        }
        if (listed.name === 'tasks') {
          cells.state = TASK_STATES[Math.floor(number / TENANTS / GROUPS) % TASK_STATES.length] as string;
        }
        if ('event_type' in listed.columns) cells.event_type = `TYPE_${Math.floor(number / TENANTS / GROUPS) % 9}`;
        return cells;
      },
    });
  }
}

for (const engine of engines()) {
  describe(`lists on ${engine.name}`, () => {
    let database: TestDatabase;
    let asked: Asked[];
    let bought: Statement[];
    before(async () => {
      database = await engine.open();
      const node = await memoryNode();
      asked = await everyList(node);
      bought = await statementsOfPurchase(node);
      // SQLite plans by its rules of thumb, since nothing has it count rows.
      if (engine.name === 'sqlite') return;
      await fill(database.store, node.owner.tenantId);
      await database.store.write('t', () => run('ANALYZE'));
    });
    after(() => database.drop());

    test('every list is there, with each of its filters', () => {
      assert.ok(lists.length >= 15, lists.join(', '));
      assert.ok(asked.length >= 70, String(asked.length));
    });

    for (const name of lists) {
      test(`${name} reads no table and sorts no tenant with any filter`, async () => {
        const faults: string[] = [];
        // What a list is looked through for is not in its statement.
        const seen = new Set<string>();
        for (const each of asked.filter((list) => list.name === name)) {
          for (const statement of each.statements) {
            const text = JSON.stringify([statement.sql, statement.args]);
            if (!/LIMIT/.test(statement.sql) || seen.has(text)) continue;
            seen.add(text);
            const found = await (engine.name === 'sqlite' ? sqliteFaults : postgresFaults)(database.store, statement);
            faults.push(...found.map((fault) => `${JSON.stringify(each.input)}: ${fault}`));
          }
        }
        assert.deepEqual([...new Set(faults)], []);
      });
    }

    test('no step of a purchase, and no question about one, reads all that a tenant bought', async () => {
      const spreads = engine.name === 'sqlite' ? sqliteSpreads : postgresSpreads;
      const faults: string[] = [];
      for (const statement of bought) {
        if (!/^\s*(SELECT|UPDATE|DELETE)/.test(statement.sql)) continue;
        const found = await spreads(database.store, statement);
        faults.push(...found.map((fault) => `${statement.sql}: ${fault}`));
      }
      assert.ok(bought.length >= 100, String(bought.length));
      assert.deepEqual([...new Set(faults)], []);
    });
  });
}
