/** Every method of standard A2A and every tool for models with every kind of credential: who is let in, and what the others are told. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Permission } from '../../src/access/caller.ts';
import { METHOD_NAMES } from '../../src/extensions/standard-a2a/gate/versions.ts';
import { type Credential, everyCredential } from '../support/credentials.ts';
import { everyEngine } from '../support/engines.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { sendTo } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

interface Met {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON-RPC answer; undefined where a stream began. */
  readonly body: Loose | undefined;
}

/** A method or a tool, and a call of it that names what is the world's agent's. */
interface Cell {
  readonly name: string;
  readonly needs: readonly Permission[];
  readonly params: Loose;
  /** What is answered about what belongs to others: codes, or `ok` where there is nothing of theirs in the answer. */
  readonly foreign: readonly (number | string)[];
}

for (const engine of everyEngine()) {
  describe(`the matrix of the gates on ${engine.name}`, () => {
    let world: World;
    let credentials: Credential[];
    let wrong: string[] = [];
    before(async () => {
      world = await makeWorld(engine);
      const agents = [(await world.newAgent('of the bound key')).did];
      const given = { name: 'bound', permissions: ['read', 'write'], agents };
      const { key } = (await world.rest('POST', '/ap2/admin/api-keys', given)).body;
      const bound: Credential = {
        name: 'a key that is bound to another agent',
        permissions: ['read', 'write'],
        elsewhere: true,
        headers: async () => ({ Authorization: `Bearer ${key}` }),
      };
      const all = [...(await everyCredential(world)), bound];
      credentials = engine.name === 'sqlite' ? all : all.filter(({ asksStore }) => asksStore !== false);
    });
    after(() => world.close());

    async function ask(path: string, message: object, credential: Credential, more: Record<string, string>) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
      const own = await credential.headers({ method: 'POST', path, body });
      const stop = new AbortController();
      const response = await fetch(world.node.address + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...more, ...own },
        body,
        signal: stop.signal,
      });
      const { status, headers } = response;
      const isStream = path === '/a2a/v1' && headers.get('content-type')?.startsWith('text/event-stream') === true;
      const text = isStream ? '' : await response.text();
      if (isStream) stop.abort();
      const json = text.startsWith('{') ? text : /^data: (\{.*\})$/m.exec(text)?.[1];
      return { status, headers, body: json === undefined ? undefined : JSON.parse(json) } as Met;
    }

    /** A credential for what is another agent's, or another tenant's. */
    const isForeign = ({ elsewhere, agent }: Credential) => elsewhere === true || agent !== undefined;
    /** A user without a role has no permission, and may not even what needs none. */
    const lacks = ({ permissions }: Credential, { needs }: Cell) =>
      permissions.length === 0 || needs.some((each) => !permissions.includes(each));

    test('of standard A2A: 401 with a challenge, 403 without permission, and no task of others', async (context) => {
      wrong = [];
      const intent = world.intentBody(20);
      const { id } = await sendTo(world, { 'countersign.purchase': { intent } });
      const cells = standardCells(id, `${world.node.address}/push`);
      assert.deepEqual(cells.map(({ name }) => name).sort(), [...METHOD_NAMES].sort());
      for (const credential of credentials) {
        for (const cell of cells) {
          const params = cell.params();
          const { status, headers, body } = await ask('/a2a/v1', { method: cell.name, params }, credential, {});
          const got = `${status} ${body?.error?.code ?? 'ok'}`;
          const expected = expectedOf(credential, cell);
          if (!expected.includes(got)) wrong.push(`${cell.name} by ${credential.name}: ${got}, not ${expected}`);
          if (status === 401 && !/^Bearer /.test(headers.get('www-authenticate') ?? '')) wrong.push('no challenge');
          if (
            JSON.stringify(body ?? {}).includes(id) &&
            isForeign(credential) &&
            !/no task/.test(body?.error?.message)
          ) {
            wrong.push(`${cell.name} tells ${credential.name} of the task`);
          }
        }
      }
      assert.deepEqual(wrong, []);
      context.diagnostic(`${credentials.length * cells.length} cells on ${engine.name}`);
    });

    function expectedOf(credential: Credential, cell: Cell): string[] {
      if (credential.refused !== undefined) return ['401 -32090'];
      if (lacks(credential, cell)) return ['403 -32091'];
      if (isForeign(credential)) return cell.foreign.map((each) => `200 ${each}`);
      // A credential before this one may have ended the task, or removed its place.
      return ['200 ok', '200 -32004', ...(cell.name.includes('ush') ? ['200 -32001'] : [])];
    }

    test('of the tools: 401 with where to get a key, FORBIDDEN without permission, and nothing of others', async (context) => {
      wrong = [];
      const paid = await purchase(world, 5);
      const payment = (await world.rest('GET', `/ap2/payments/${mandateIdOf(paid)}`)).body;
      const { approval, cartVc } = await askForApproval(world);
      const cells = toolCells(world, payment, approval, cartVc);
      for (const credential of credentials) {
        for (const cell of cells) {
          const message = { method: 'tools/call', params: { name: cell.name, arguments: cell.params() } };
          const met = await ask('/mcp', message, credential, MCP);
          const result = met.body?.result;
          const code = result?.isError === true ? /^[A-Z_]+/.exec(result.content[0].text)?.[0] : 'ok';
          const got = met.status === 200 ? `200 ${code}` : String(met.status);
          const expected = expectedTool(credential, cell);
          if (!expected.includes(got)) wrong.push(`${cell.name} by ${credential.name}: ${got}, not ${expected}`);
          const challenge = met.headers.get('www-authenticate') ?? '';
          if (met.status === 401 && !/resource_metadata=/.test(challenge)) wrong.push('no challenge');
          const text = JSON.stringify(result?.structuredContent ?? {});
          if (isForeign(credential) && [payment.mandateId, payment.transactionId].some((each) => text.includes(each))) {
            wrong.push(`${cell.name} tells ${credential.name} of the purchase`);
          }
        }
      }
      assert.deepEqual(wrong, []);
      context.diagnostic(`${credentials.length * cells.length} cells on ${engine.name}`);
    });

    function expectedTool(credential: Credential, cell: Cell): string[] {
      if (credential.refused !== undefined) return ['401'];
      if (lacks(credential, cell)) return ['200 FORBIDDEN'];
      if (!isForeign(credential))
        return ['200 ok', '200 CONFLICT', '200 NOT_FOUND'].slice(0, cell.name === 'pay' ? 3 : 1);
      return cell.foreign.map((each) => `200 ${each}`);
    }
  });
}

const MCP = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };

function standardCells(id: string, url: string): Cell[] {
  let messages = 0;
  const message = (role: string, part: object) => {
    messages += 1;
    return { message: { messageId: `of the matrix ${messages}`, role, taskId: id, parts: [part] } };
  };
  const current = () => message('ROLE_USER', { data: { note: 'words' } });
  const former = () => message('user', { kind: 'data', data: { note: 'words' } });
  const cell = (needs: Permission, name: string, params: Loose, foreign: number | 'ok' = -32001): Cell => ({
    name,
    needs: [needs],
    params: typeof params === 'function' ? params : () => params,
    foreign: [foreign],
  });
  const place = { taskId: id, id: 'mine' };
  const formerPlace = { id, pushNotificationConfigId: 'mine' };
  return [
    cell('write', 'SendMessage', current),
    cell('write', 'SendStreamingMessage', current),
    cell('read', 'GetTask', { id }),
    cell('read', 'ListTasks', {}, 'ok'),
    cell('read', 'SubscribeToTask', { id }),
    cell('write', 'CreateTaskPushNotificationConfig', { ...place, url }),
    cell('read', 'GetTaskPushNotificationConfig', place),
    cell('read', 'ListTaskPushNotificationConfigs', { taskId: id }),
    cell('write', 'DeleteTaskPushNotificationConfig', place),
    cell('read', 'GetExtendedAgentCard', {}, -32004),
    cell('write', 'message/send', former),
    cell('write', 'message/stream', former),
    cell('read', 'tasks/get', { id }),
    cell('read', 'tasks/resubscribe', { id }),
    cell('write', 'tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig: { id: 'mine', url } }),
    cell('read', 'tasks/pushNotificationConfig/get', formerPlace),
    cell('read', 'tasks/pushNotificationConfig/list', { id }),
    cell('write', 'tasks/pushNotificationConfig/delete', formerPlace),
    cell('read', 'agent/getAuthenticatedExtendedCard', {}, -32004),
    // Last, since they end the task for those who may.
    cell('write', 'CancelTask', { id }),
    cell('write', 'tasks/cancel', { id }),
  ];
}

function toolCells(world: World, payment: Loose, approval: Loose, cartVc: Loose): Cell[] {
  const cell = (needs: readonly Permission[], name: string, given: object, ...foreign: string[]): Cell => ({
    name,
    needs,
    params: () => given,
    foreign,
  });
  const intent = { maxAmount: 5, currency: 'USD', agentDid: world.agent.did };
  return [
    // Another tenant knows no such agent and has no policy; an agent, or a key bound to one, may not speak for another.
    cell(['write'], 'request_intent', intent, 'NOT_FOUND', 'FORBIDDEN'),
    cell(['read', 'write'], 'validate_cart', { intentId: payment.intentId, cartVc }, 'NOT_FOUND'),
    cell(['write'], 'pay', { approvalToken: 'apt_nothing' }, 'NOT_FOUND'),
    cell(['read'], 'check_status', { id: payment.mandateId }, 'NOT_FOUND'),
    cell([], 'wait_for_approval', { approvalId: approval.id, waitSeconds: 0 }, 'NOT_FOUND'),
    cell(['read'], 'policy_explain', { amount: 5, currency: 'USD' }, 'ok', 'CONFLICT'),
    cell(['read'], 'list_purchases', {}, 'ok'),
    cell(['read'], 'get_evidence', { transactionId: payment.transactionId }, 'NOT_FOUND'),
  ];
}
