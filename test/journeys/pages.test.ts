/** Every list, taken from the route table: pages that stay put while rows are added, and limits that are kept. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { allOperations, allRoutes } from '../../src/extensions/nodeOperations.ts';
import { insertLogin } from '../../src/store/statements/people/logins.ts';
import { insertPasskey } from '../../src/store/statements/people/passkeys.ts';
import { insertUser } from '../../src/store/statements/people/users.ts';
import { useCaseIn } from '../../src/usecase/useCase.ts';
import { person as personOf } from '../support/credentials.ts';
import { everyEngine } from '../support/engines.ts';
import { MandateParties } from '../support/mandates.ts';
import { makeP256 } from '../support/p256.ts';
import { makePeer } from '../support/peer.ts';
import { askForApproval } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { startReceiver } from '../support/receiver.ts';
import { sendTo } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

/** What follows live events is no list: it ends where the events do. */
const NO_LISTS = new Set(['tailEvents', 'streamEvents']);

const lists = allRoutes.filter(({ method, useCase }) => {
  const { shape } = useCaseIn(allOperations, useCase).input as unknown as { shape: object };
  return method === 'GET' && 'cursor' in shape && !NO_LISTS.has(useCase);
});

for (const engine of everyEngine()) {
  describe(`lists on ${engine.name}`, () => {
    let world: World;
    let hook: string;
    /** Whose own lists are looked at. */
    const governed = makePeer().did;
    let person: { readonly headers: Record<string, string>; readonly userId: string; readonly did: string };
    let close: () => Promise<void>;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 500, currency: 'USD' } };
      await world.rest('POST', '/ap2/admin/policies', { name: 'wide', rules });
      const headers = await personOf(world, 'OWNER', 0).headers({ method: 'GET', path: '/', body: '' });
      const { userId, did } = (await world.rest('GET', '/ap2/auth/me', undefined, headers)).body;
      person = { headers, userId, did };
      await world.rest('POST', '/ap2/admin/principals', { did: governed, name: 'A principal' });
      const receiver = await startReceiver();
      receiver.answer = (response) => response.end();
      close = () => receiver.close();
      hook = receiver.url;
    });
    after(async () => {
      await close();
      await world.close();
    });

    const post = async (path: string, body: Loose): Promise<Loose> => {
      const reply = await world.rest('POST', path, body);
      assert.ok(reply.status < 300, `${path}: ${reply.text}`);
      return reply.body;
    };
    const name = () => randomBytes(6).toString('hex');
    let disputed: string | undefined;
    const captured = async (): Promise<string> => {
      const mandateId = mandateIdOf(await purchase(world, 1));
      await post(`/ap2/payments/${mandateId}/capture`, {});
      return mandateId;
    };

    /** Adds one row to each list. */
    const adders: Readonly<Record<string, () => Promise<unknown>>> = {
      listIntents: () => post('/ap2/intents', world.intentBody(1)),
      listDecisions: () => post('/ap2/intents', world.intentBody(1)),
      listPayments: () => purchase(world, 1),
      listDisputes: async () => {
        disputed ??= await captured();
        await post('/ap2/demo/dispute', { mandateId: disputed, amount: 0.01 });
      },
      listPolicies: () => post('/ap2/admin/policies', { name: name(), rules: { version: '2.0' }, activate: false }),
      listAgents: () => world.newAgent(),
      listLimits: () => world.newAgent(),
      listMerchants: () => post('/ap2/admin/merchants', { domain: `${name()}.example`, did: makePeer().did }),
      listMandateIssuers: () =>
        post('/ap2/admin/mandate-issuers', { name: name(), kind: 'user-credential', jwk: makeP256().jwk }),
      listDelegations: async () => {
        const parties = new MandateParties(Date.now);
        const issuer = { name: name(), kind: 'agent-provider', jwk: parties.provider.jwk };
        await post('/ap2/admin/mandate-issuers', issuer);
        return post('/ap2/delegations', { token: parties.open(), agentDid: (await world.newAgent()).did });
      },
      listInstruments: async () => {
        const agent = await world.newAgent();
        return post('/ap2/admin/instruments', { agentDid: agent.did, paymentMethod: 'pm_card_visa' });
      },
      listWallets: () => post('/ap2/admin/wallets', { network: 'eip155:8453' }),
      listGuards: async () => {
        const reply = await world.rest('PUT', '/ap2/guards', { name: name(), agentDid: world.agent.did, servers: [] });
        assert.equal(reply.status, 200, JSON.stringify(reply.body));
      },
      listSpts: () => post('/admin/spt', { merchantDomain: SHOP, amount: 1, currency: 'USD' }),
      listApiKeys: () => post('/ap2/admin/api-keys', { name: name(), permissions: ['read'] }),
      listUsers: () => {
        const { deps, tenantId } = world.node;
        const id = deps.newId('usr_');
        return deps.store.write(tenantId, () =>
          insertUser({
            id,
            tenant_id: tenantId,
            issuer: 'https://people.example',
            subject: id,
            did: deps.people.didOf(id),
            email: null,
            role: 'VIEWER',
            created_at: deps.clock(),
            last_login_at: deps.clock(),
            name: null,
          }),
        );
      },
      listWebhooks: () => post('/ap2/admin/webhooks', { url: `${hook}/${name()}`, events: ['policy.updated'] }),
      listWebhookLogs: async () => {
        const made = await post('/ap2/admin/webhooks', { url: `${hook}/${name()}`, events: ['policy.updated'] });
        return post(`/ap2/admin/webhooks/${made.id}/test`, {});
      },
      searchEvidence: () => post('/ap2/intents', world.intentBody(100_000)),
      listCheckpoints: async () => {
        await post('/ap2/intents', world.intentBody(100_000));
        await makeCheckpoint(world.node.deps, world.node.tenantId);
      },
      listPrincipals: () => post('/ap2/admin/principals', { did: makePeer().did, name: name() }),
      listPasskeys: () => addPasskey('agent', world.agent.did),
      listUserPasskeys: () => addPasskey('user', person.did),
      listPrincipalPasskeys: () => addPasskey('principal', governed),
      listOwnPasskeys: () => addPasskey('user', person.did),
      listInvitations: () => post('/ap2/admin/invitations', { role: 'VIEWER' }),
      listLogins: () => addLogin(),
      listUserLogins: () => addLogin(),
      listTaskRecords: () => sendTo(world, { 'countersign.intent': world.intentBody(1) }),
      listApprovals: async () => askForApproval(world, 150, await world.newAgent()),
      listSessions: () =>
        post('/a2a/sessions', { contextId: name(), agentDid: world.agent.did, userDid: world.principal.did }),
    };

    const addLogin = () => {
      const { deps, tenantId } = world.node;
      const [id, now] = [deps.newId('login_'), deps.clock()];
      const login = { id, tenant_id: tenantId, user_id: person.userId, created_at: now, expires_at: now + 600_000 };
      return deps.store.write(tenantId, () => insertLogin({ ...login, way: 'passkey', device: null }));
    };

    const addPasskey = (kind: 'agent' | 'principal' | 'user', did: string) => {
      const { deps, tenantId } = world.node;
      return deps.store.write(tenantId, () =>
        insertPasskey({
          id: deps.newId('psk_'),
          tenant_id: tenantId,
          holder_did: did,
          holder_kind: kind,
          credential_id: name(),
          public_key: 'AA',
          counter: 0,
          made_by: null,
          user_id: null,
          transports: 'internal',
          device_name: 'phone',
          is_synced: 0,
          created_at: deps.clock(),
        }),
      );
    };

    test('each is here', () => {
      const missing = lists.map(({ useCase }) => useCase).filter((name) => !(name in adders));
      assert.deepEqual(missing, [], 'Add to `adders` above what adds one row to these lists.');
      assert.equal(Object.keys(adders).length, lists.length);
    });

    for (const { path, useCase } of lists) {
      const get = (query = '') => {
        const isOfPeople = useCaseIn(allOperations, useCase).permission === 'self' || useCase === 'listUserLogins';
        const headers = isOfPeople ? person.headers : undefined;
        return world.rest(
          'GET',
          `${path.replace(':id', person.userId).replace(':did', governed)}?${query}`,
          undefined,
          headers,
        );
      };
      const page = async (query: string) => {
        const { status, body, text } = await get(query);
        assert.equal(status, 200, text);
        return {
          rows: (body.data ?? body.logs) as Loose[],
          cursor: body.cursor as string | null,
          hasMore: body.hasMore,
        };
      };

      test(`${path} gives each row once, newest first, while rows are added`, async () => {
        const add = adders[useCase] as () => Promise<unknown>;
        for (let i = 0; i < 5; i++) await add();
        const whole = (await page('limit=200')).rows;
        assert.ok(whole.length >= 5, `${whole.length} rows`);
        const walked: Loose[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const next = await page(`limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
          assert.ok(next.rows.length <= 2 && next.hasMore === (next.cursor !== null));
          walked.push(...next.rows);
          cursor = next.cursor;
          if (walked.length <= 4) await add();
        }
        assert.deepEqual(walked.map(keyOf), whole.map(keyOf));
        await until('the new rows', async () => (await page('limit=200')).rows.length > whole.length);
      });

      test(`${path} refuses a limit out of bounds and a cursor that is not its own, by name`, async () => {
        for (const [query, member] of [
          ['limit=0', 'limit'],
          ['limit=201', 'limit'],
          ['limit=two', 'limit'],
          ['limit=1.5', 'limit'],
          ['cursor=abc', 'cursor'],
          ['cursor=bnVsbA', 'cursor'],
        ]) {
          const { status, body, text } = await get(query);
          assert.equal(status, 400, `${query}: ${text}`);
          assert.equal(body.error.details[0].path, member, query);
        }
      });
    }
  });
}

/** What tells a row from the others of its list. */
function keyOf(row: Loose): string {
  return [row.id, row.mandateId, row.did, row.contextId, row.size, row.seq, row.version].filter(Boolean).join(' ');
}
