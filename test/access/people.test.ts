/** People with passkeys: invited, let in, asked for a touch, and let out again. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import { insertPasskey } from '../../src/store/statements/people/passkeys.ts';
import { keepHouse } from '../../src/workers/housekeeping.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const ORIGIN = { origin: 'http://localhost:8402', rpId: 'localhost' };
const NO_CREDENTIAL = {};

type Phone = ReturnType<typeof softAuthenticator>;

/** A user who is logged in. */
interface LoggedInUser {
  readonly phone: Phone;
  readonly headers: Record<string, string>;
  readonly me: Loose;
  readonly cookie: string;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

for (const engine of everyEngine()) {
  describe(`people, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const open = (path: string, body: object): Promise<Reply> =>
      world.rest('POST', `/ap2/auth/${path}`, body, NO_CREDENTIAL);
    const newPhone = () => softAuthenticator(() => ({ ...ORIGIN, origin: new URL(world.node.baseUrl).origin }));
    const ok = (reply: Reply, status = 200): Loose => {
      assert.equal(reply.status, status, reply.text);
      return reply.body;
    };
    /** A link, as the holder of the node's own key makes it. */
    const invite = async (role: string, more: object = {}): Promise<string> =>
      tokenIn(ok(await world.rest('POST', '/ap2/admin/invitations', { role, ...more }), 201).url);
    /** A link for a user who is there, as an OWNER makes it. */
    const letBackIn = async ({ me }: LoggedInUser, owner: LoggedInUser): Promise<string> =>
      tokenIn(ok(await world.rest('POST', '/ap2/admin/invitations', { userId: me.userId }, owner.headers), 201).url);
    const tokenIn = (url: string) => String(url.split('/welcome/')[1]);
    const accept = async (token: string, name: string, phone = newPhone()): Promise<Reply> => {
      const { publicKey } = ok(await open('invitations/begin', { token, name }));
      return open('invitations/accept', { token, name, credential: phone.create(publicKey) });
    };
    const userOf = async (phone: Phone, entered: Reply): Promise<LoggedInUser> => {
      const headers = bearer(ok(entered).accessToken);
      const cookie = String(entered.headers.get('set-cookie')).split(';')[0] as string;
      return { phone, headers, cookie, me: ok(await world.rest('GET', '/ap2/auth/me', undefined, headers)) };
    };
    const welcome = async (role: string, name = role.toLowerCase()): Promise<LoggedInUser> => {
      const phone = newPhone();
      return userOf(phone, await accept(await invite(role), name, phone));
    };
    const signIn = async (phone: Phone): Promise<Reply> => {
      const { publicKey } = ok(await open('passkey/begin', {}));
      return open('passkey/complete', { credential: phone.get(publicKey) });
    };
    const touch = async ({ phone, headers }: LoggedInUser): Promise<Reply> => {
      const { publicKey } = ok(await world.rest('POST', '/ap2/auth/step-up/begin', {}, headers));
      return world.rest('POST', '/ap2/auth/step-up/complete', { credential: phone.get(publicKey) }, headers);
    };
    /** The last touches are longer ago than they count. */
    const letTouchesAge = () => {
      world.clock.aheadMs += 301_000;
    };

    test('an invitation makes a user with a passkey once, and the user signs in again by it', async () => {
      const token = await invite('OWNER', { name: 'Ada' });
      assert.deepEqual(ok(await open('invitations/view', { token })).name, 'Ada');
      const phone = newPhone();
      const { me } = await userOf(phone, await accept(token, 'Ada Lovelace', phone));
      assert.equal(me.role, 'OWNER');
      assert.equal(me.name, 'Ada Lovelace');
      for (const path of ['view', 'begin', 'accept']) {
        const body = { token, name: 'Eve', credential: newPhone().create({ challenge: 'AAAA' }) };
        assert.equal((await open(`invitations/${path}`, body)).status, 404, path);
      }
      const again = await userOf(phone, await signIn(phone));
      assert.equal(again.me.userId, me.userId);
      assert.notEqual(again.me.loginId, me.loginId);
    });

    test('two who accept one invitation at once are one user', async () => {
      const token = await invite('VIEWER');
      const phones = [newPhone(), newPhone()];
      const begun = await Promise.all(phones.map(() => open('invitations/begin', { token, name: 'Twin' })));
      const accepted = await Promise.all(
        phones.map((phone, at) =>
          open('invitations/accept', { token, name: 'Twin', credential: phone.create(begun[at]?.body.publicKey) }),
        ),
      );
      assert.deepEqual(accepted.map(({ status }) => status).sort(), [200, 404]);
    });

    test('an invitation does not take a passkey that was made for another one', async () => {
      const [mine, theirs] = [await invite('VIEWER'), await invite('OWNER')];
      const { publicKey } = ok(await open('invitations/begin', { token: mine, name: 'Eve' }));
      const credential = newPhone().create(publicKey);
      const refused = await open('invitations/accept', { token: theirs, name: 'Eve', credential });
      assert.equal(refused.status, 400, refused.text);
    });

    test('a sign-in takes a fresh challenge of this node, once, and a passkey of a user', async () => {
      const { phone } = await welcome('VIEWER');
      const { publicKey } = ok(await open('passkey/begin', {}));
      const credential = phone.get(publicKey);
      ok(await open('passkey/complete', { credential }));
      assert.equal((await open('passkey/complete', { credential })).status, 400, 'again');
      const foreign = phone.get({ ...publicKey, challenge: 'bm90IG9mIHRoaXMgbm9kZQ' });
      assert.equal((await open('passkey/complete', { credential: foreign })).status, 400, 'an unknown challenge');
      const agentsPhone = newPhone();
      const agentDid = world.agent.did;
      const begun = ok(await world.rest('POST', '/ap2/hp/webauthn/register/begin', { agentDid, deviceName: 'a' }));
      const enrolled = { agentDid, credential: agentsPhone.create(begun.publicKey) };
      ok(await world.rest('POST', '/ap2/hp/webauthn/register/complete', enrolled));
      assert.equal((await signIn(agentsPhone)).status, 401, 'an agent’s passkey');
    });

    test('a sign-in is not replayed after a clock that was ahead is set back', async () => {
      const { phone } = await welcome('VIEWER');
      const { publicKey } = ok(await open('passkey/begin', {}));
      const credential = phone.get(publicKey);
      ok(await open('passkey/complete', { credential }));
      world.clock.aheadMs += 400_000;
      await keepHouse(world.node.deps);
      world.clock.aheadMs -= 400_000;
      const again = await open('passkey/complete', { credential });
      assert.match(again.body.error?.message, /used before/, again.text);
    });

    test('a challenge of a sign-in answers nothing else, and one of a step-up signs in no user', async () => {
      const ada = await welcome('OWNER');
      const signingIn = ok(await open('passkey/begin', {}));
      const used = { credential: ada.phone.get(signingIn.publicKey) };
      assert.equal((await world.rest('POST', '/ap2/auth/step-up/complete', used, ada.headers)).status, 400);
      const stepping = ok(await world.rest('POST', '/ap2/auth/step-up/begin', {}, ada.headers));
      assert.equal((await open('passkey/complete', { credential: ada.phone.get(stepping.publicKey) })).status, 400);
    });

    test('what raises a risk takes a touch of the last five minutes, and what lowers it never does', async () => {
      const ada = await welcome('OWNER');
      const { did } = await world.newAgent();
      const bound = ok(await world.rest('POST', '/ap2/admin/merchants', { domain: 'old.example', did }), 201);
      letTouchesAge();
      const post = (path: string, body: object = {}) => world.rest('POST', path, body, ada.headers);
      const risky: [string, string, object][] = [
        ['POST', `/ap2/admin/agents/${did}/reactivate`, {}],
        ['POST', '/ap2/admin/api-keys', { name: 'k', permissions: ['read'] }],
        ['PUT', `/ap2/admin/users/${ada.me.userId}`, { role: 'OWNER' }],
        ['POST', '/ap2/admin/invitations', { role: 'OWNER' }],
        ['POST', '/ap2/admin/merchants', { domain: 'new.example', did }],
        ['DELETE', `/ap2/admin/merchants/${bound.id}`, {}],
        ['POST', '/ap2/admin/instruments', { agentDid: did, paymentMethod: 'pm_1' }],
        ['POST', '/ap2/admin/enrollments', { agentDid: did }],
        ['POST', '/ap2/admin/events/secret', {}],
        ['POST', '/ap2/admin/principals', { did, name: 'P', agents: [did] }],
        ['PUT', `/ap2/admin/agents/${did}/velocity`, { maxTransactions: 1000, timeWindow: '1h' }],
        ['POST', '/ap2/admin/policies', { name: 'Wide', rules: { version: '2.0', spend: { amount_cap: 5000 } } }],
      ];
      ok(await post(`/ap2/admin/agents/${did}/suspend`));
      for (const [method, path, body] of risky) {
        const refused = await world.rest(method, path, body, ada.headers);
        assert.equal(refused.status, 401, `${method} ${path}: ${refused.text}`);
        assert.equal(refused.body.error.code, 'STEP_UP_REQUIRED');
        assert.match(String(refused.headers.get('www-authenticate')), /insufficient_user_authentication.*max_age=300/);
      }
      ok(await touch(ada));
      for (const [method, path, body] of risky) {
        const done = await world.rest(method, path, body, ada.headers);
        assert.ok(done.status < 300, `${method} ${path}: ${done.text}`);
      }
      letTouchesAge();
      ok(
        await world.rest(
          'PUT',
          `/ap2/admin/agents/${did}/velocity`,
          { maxTransactions: 9, timeWindow: '1h' },
          ada.headers,
        ),
      );
      const narrow = { version: '2.0', spend: { amount_cap: 4000 } };
      const policy = ok(await post('/ap2/admin/policies', { name: 'Narrow', rules: narrow }), 201);
      ok(
        await post('/ap2/admin/policies', { name: 'Kept for later', rules: { version: '2.0' }, activate: false }),
        201,
      );
      ok(await world.rest('PUT', `/ap2/admin/policies/${policy.id}`, { name: 'Narrow still' }, ada.headers));
      const wider = { rules: { version: '2.0', spend: { amount_cap: 4001 } } };
      const refused = await world.rest('PUT', `/ap2/admin/policies/${policy.id}`, wider, ada.headers);
      assert.equal(refused.body.error?.code, 'STEP_UP_REQUIRED');
      ok(await post(`/ap2/admin/agents/${did}/suspend`));
      ok(await post(`/ap2/admin/agents/${did}/revoke`, { reason: 'lost' }));
    });

    test('an agent’s first own limit is compared with the policy’s, and waits for no touch where it is tighter', async () => {
      const ada = await welcome('OWNER');
      const limited = {
        version: '2.0',
        risk: { velocity_limit: { max_transactions: 10, max_amount: 50, time_window: '1h' } },
      };
      ok(await world.rest('POST', '/ap2/admin/policies', { name: 'Limited', rules: limited }), 201);
      letTouchesAge();
      const set = async (limit: object) => {
        const { did } = await world.newAgent();
        const body = { timeWindow: '1h', maxTransactions: 10, maxAmount: 50, ...limit };
        return (await world.rest('PUT', `/ap2/admin/agents/${did}/velocity`, body, ada.headers)).status;
      };
      assert.equal(await set({}), 200, 'as tight as the policy’s');
      assert.equal(await set({ maxTransactions: 5, maxAmount: 49.99 }), 200);
      assert.equal(await set({ timeWindow: '60m' }), 200, 'the same time in other words');
      assert.equal(await set({ maxTransactions: 11 }), 401, 'more purchases');
      assert.equal(await set({ maxAmount: 50.01 }), 401, 'more money');
      assert.equal(await set({ maxAmount: undefined }), 401, 'no bound of money any more');
      assert.equal(await set({ timeWindow: '30m' }), 401, 'a shorter time, in which as much may be spent');
      ok(await world.rest('POST', '/ap2/admin/policies', { name: 'Free', rules: { version: '2.0' } }), 201);
      assert.equal(await set({ maxTransactions: 1000 }), 200, 'where nothing limited it before');
    });

    test('who removes a person is told which agents that person owns, and may have them suspended with it', async () => {
      const ada = await welcome('OWNER');
      const ownedBy = async (owner: LoggedInUser): Promise<string> => {
        const { publicKey } = makePeer();
        return ok(await world.rest('POST', '/ap2/agents', { name: 'owned', publicKey }, owner.headers), 201).did;
      };
      const statusOf = async (did: string) => ok(await world.rest('GET', `/ap2/agents/${did}`)).status;
      for (const suspends of [false, true]) {
        const bob = await welcome('ADMIN');
        const [one, two] = [await ownedBy(bob), await ownedBy(bob)];
        ok(await world.rest('POST', `/ap2/admin/agents/${two}/revoke`, { reason: 'old' }));
        const path = `/ap2/admin/users/${bob.me.userId}${suspends ? '?suspendAgents=true' : ''}`;
        ok(await world.rest('DELETE', path, undefined, ada.headers), 204);
        assert.equal(await statusOf(one), suspends ? 'SUSPENDED' : 'ACTIVE');
        assert.equal(await statusOf(two), 'REVOKED');
        const { data } = ok(await world.rest('GET', '/ap2/evidence/search?eventType=USER_REMOVED&limit=1')).data[0];
        assert.deepEqual([data.agents, data.suspended], [[one], suspends]);
      }
      const suspended = ok(await world.rest('GET', '/ap2/evidence/search?eventType=AGENT_SUSPENDED&limit=1')).data[0];
      assert.equal(suspended.data.by.id, ada.me.userId);
    });

    test('evidence names the user and the passkey that touched', async () => {
      const ada = await welcome('OWNER');
      const { id } = ok(
        await world.rest('POST', '/ap2/admin/api-keys', { name: 'traced', permissions: ['read'] }, ada.headers),
        201,
      );
      const { data } = ok(await world.rest('GET', '/ap2/evidence/search?eventType=KEY_CREATED&limit=1'));
      assert.equal(data[0].data.keyId, id);
      const { by } = data[0].data;
      assert.equal(by.id, ada.me.userId);
      const [passkey] = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, ada.headers)).data;
      assert.equal(by.credentialId, passkey.credentialId);
    });

    test('a touch of another user’s passkey does not count, and one login’s touch is not another’s', async () => {
      const [ada, bob] = [await welcome('OWNER'), await welcome('OWNER')];
      const other = await userOf(ada.phone, await signIn(ada.phone));
      letTouchesAge();
      const begun = ok(await world.rest('POST', '/ap2/auth/step-up/begin', {}, ada.headers));
      const options = { ...begun.publicKey, allowCredentials: [] };
      const theirs = { credential: bob.phone.get(options) };
      assert.equal((await world.rest('POST', '/ap2/auth/step-up/complete', theirs, ada.headers)).status, 400);
      ok(await touch(other));
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'k', permissions: ['read'] }, ada.headers);
      assert.equal(made.status, 401);
    });

    test('who has passkeys adds, renames and removes them, but not the last one', async () => {
      const ada = await welcome('MEMBER');
      const [first] = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, ada.headers)).data;
      const last = await world.rest('DELETE', `/ap2/auth/passkeys/${first.id}`, undefined, ada.headers);
      assert.equal(last.status, 409, last.text);
      const begun = ok(await world.rest('POST', '/ap2/auth/passkeys/begin', { name: 'Laptop' }, ada.headers));
      const laptop = newPhone();
      const body = { credential: laptop.create(begun.publicKey) };
      const added = ok(await world.rest('POST', '/ap2/auth/passkeys/complete', body, ada.headers), 201);
      const renamed = await world.rest('PUT', `/ap2/auth/passkeys/${added.id}`, { name: 'Work' }, ada.headers);
      assert.equal(ok(renamed).name, 'Work');
      const other = await userOf(ada.phone, await signIn(ada.phone));
      ok(await world.rest('DELETE', `/ap2/auth/passkeys/${first.id}`, undefined, ada.headers), 204);
      assert.equal((await signIn(ada.phone)).status, 401, 'the removed one');
      await userOf(laptop, await signIn(laptop));
      const gone = await world.rest('POST', '/ap2/auth/passkeys/begin', { name: 'More' }, other.headers);
      assert.equal(gone.status, 401, 'what the removed one touched counts no more');
    });

    test('who has fifty passkeys adds no other one, so that what a page or a sign-in reads of them is bounded', async () => {
      const ada = await welcome('VIEWER');
      const { tenantId, did } = ada.me;
      await world.node.deps.store.write(tenantId, function* (now) {
        for (let at = 1; at < 50; at += 1) {
          const names = { id: `psk_${did.slice(-8)}_${at}`, credential_id: `${did}-${at}`, device_name: 'one of many' };
          const key = {
            public_key: 'AA',
            counter: 0,
            transports: '',
            is_synced: 0,
            created_at: now,
            made_by: null,
            user_id: null,
          } as const;
          yield* insertPasskey({ ...names, ...key, tenant_id: tenantId, holder_did: did, holder_kind: 'user' });
        }
      });
      const more = await world.rest('POST', '/ap2/auth/passkeys/begin', { name: 'One more' }, ada.headers);
      assert.equal(more.status, 409, more.text);
      assert.match(more.body.error.message, /50 passkeys/);
    });

    test('no user but an OWNER sees, renames or removes another’s passkeys or logins', async () => {
      const [ada, bob, clerk] = [await welcome('OWNER'), await welcome('ADMIN'), await welcome('MEMBER')];
      const [passkey] = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, clerk.headers)).data;
      const path = `/ap2/admin/users/${clerk.me.userId}`;
      for (const headers of [ada.headers, bob.headers]) {
        assert.equal((await world.rest('DELETE', `/ap2/auth/passkeys/${passkey.id}`, undefined, headers)).status, 404);
        assert.equal(
          (await world.rest('DELETE', `/ap2/auth/sessions/${clerk.me.loginId}`, undefined, headers)).status,
          404,
        );
        assert.equal((await world.rest('DELETE', `/ap2/hp/passkeys/${passkey.id}`, undefined, headers)).status, 404);
      }
      const [adas] = ok(await world.rest('GET', '/ap2/auth/passkeys', undefined, ada.headers)).data;
      const own = `/ap2/admin/users/${ada.me.userId}/passkeys/${adas.id}`;
      assert.equal(
        (await world.rest('DELETE', own, undefined, ada.headers)).status,
        409,
        'nor does an OWNER lock themselves out',
      );
      const asAdmin = await world.rest('DELETE', `${path}/passkeys/${passkey.id}`, undefined, bob.headers);
      assert.equal(asAdmin.status, 403, asAdmin.text);
      assert.equal((await world.rest('POST', `${path}/sessions/end`, {}, bob.headers)).status, 403);
      assert.equal((await world.rest('POST', `${path}/sessions/end`, {})).status, 403, 'a key');
      for (const headers of [bob.headers, undefined]) {
        assert.equal((await world.rest('GET', `${path}/sessions`, undefined, headers)).status, 403);
        const one = await world.rest('DELETE', `${path}/sessions/${clerk.me.loginId}`, undefined, headers);
        assert.equal(one.status, 403, one.text);
      }
      const other = await signIn(clerk.phone);
      const logins = ok(await world.rest('GET', `${path}/sessions`, undefined, ada.headers)).data;
      assert.equal(logins.length, 2);
      assert.ok(logins.every(({ current, way }: Loose) => !current && way === 'passkey'));
      const endOne = (loginId: string) => world.rest('DELETE', `${path}/sessions/${loginId}`, undefined, ada.headers);
      assert.equal((await endOne(ada.me.loginId)).status, 404, 'of another person');
      const newest = logins[0].id;
      ok(await endOne(newest), 204);
      ok(await endOne(newest), 204);
      const [ended, ...rest] = ok(
        await world.rest('GET', '/ap2/evidence/search?eventType=LOGIN_ENDED&limit=20'),
      ).data.filter(({ data }: Loose) => data.loginId === newest);
      assert.deepEqual([ended.data.userId, rest.length], [clerk.me.userId, 0]);
      assert.equal(ok(await world.rest('GET', `${path}/sessions`, undefined, ada.headers)).data.length, 1);
      assert.equal(
        (await world.rest('GET', '/ap2/auth/me', undefined, clerk.headers)).status,
        200,
        'the other one stays',
      );
      assert.equal(other.status, 200);
      ok(await world.rest('POST', `${path}/sessions/end`, {}, ada.headers), 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, clerk.headers)).status, 401);
      ok(await world.rest('DELETE', `${path}/passkeys/${passkey.id}`, undefined, ada.headers), 204);
      assert.equal((await signIn(clerk.phone)).status, 401);
      const back = await letBackIn(clerk, ada);
      const phone = newPhone();
      const again = await userOf(phone, await accept(back, 'Clerk', phone));
      assert.equal(again.me.userId, clerk.me.userId, 'a link brings them back as who they were');
      assert.equal(again.me.role, 'MEMBER');
    });

    test('logins are listed and ended one by one, or all others, or all', async () => {
      const ada = await welcome('VIEWER');
      const [two, three] = [
        await userOf(ada.phone, await signIn(ada.phone)),
        await userOf(ada.phone, await signIn(ada.phone)),
      ];
      const list = async ({ headers }: LoggedInUser) =>
        ok(await world.rest('GET', '/ap2/auth/sessions', undefined, headers)).data;
      assert.deepEqual(
        (await list(ada)).map(({ current }: Loose) => current),
        [false, false, true],
      );
      ok(await world.rest('DELETE', `/ap2/auth/sessions/${two.me.loginId}`, undefined, ada.headers), 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, two.headers)).status, 401);
      ok(await world.rest('POST', '/ap2/auth/sessions/end', { others: true }, ada.headers), 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, three.headers)).status, 401);
      assert.equal((await list(ada)).length, 1);
      ok(await world.rest('POST', '/ap2/auth/sessions/end', {}, ada.headers), 204);
      assert.equal((await world.rest('GET', '/ap2/auth/me', undefined, ada.headers)).status, 401);
      const refreshed = await world.rest('POST', '/ap2/auth/refresh', undefined, { Cookie: ada.cookie });
      assert.equal(refreshed.status, 401, 'nor does its cookie open it again');
    });

    test('an OWNER and the node’s own keys invite; an ADMIN, and a key that a person made, do not', async () => {
      const [ada, bob] = [await welcome('OWNER'), await welcome('ADMIN')];
      const ask = (headers: Record<string, string>) =>
        world.rest('POST', '/ap2/admin/invitations', { role: 'OWNER' }, headers);
      ok(await ask(ada.headers), 201);
      assert.equal((await ask(bob.headers)).status, 403);
      const made = { name: 'mine', permissions: ['read', 'write', 'admin'] };
      const key = ok(await world.rest('POST', '/ap2/admin/api-keys', made, ada.headers), 201).key;
      assert.equal((await ask(bearer(key))).status, 403);
      const child = ok(await world.rest('POST', '/ap2/admin/api-keys', made, bearer(key)), 201).key;
      assert.equal((await ask(bearer(child))).status, 403, 'nor does a key that such a key made');
    });

    test('an invitation that was withdrawn leads nowhere, and neither do those of a user who was removed', async () => {
      const ada = await welcome('OWNER');
      const made = ok(await world.rest('POST', '/ap2/admin/invitations', { role: 'VIEWER' }), 201);
      const listed = ok(await world.rest('GET', '/ap2/admin/invitations')).data;
      assert.ok(listed.some(({ id }: Loose) => id === made.id));
      assert.ok(!JSON.stringify(listed).includes(tokenIn(made.url)), 'no list shows a link');
      ok(await world.rest('DELETE', `/ap2/admin/invitations/${made.id}`), 204);
      assert.equal((await open('invitations/view', { token: tokenIn(made.url) })).status, 404);
      const bob = await welcome('MEMBER');
      const back = await letBackIn(bob, ada);
      ok(await world.rest('DELETE', `/ap2/admin/users/${bob.me.userId}`, undefined, ada.headers), 204);
      assert.equal((await open('invitations/view', { token: back })).status, 404);
      assert.equal((await signIn(bob.phone)).status, 403);
    });

    test('a user who owns an agent approves what it buys by the passkey they sign in with, as long as they own it', async () => {
      const ada = await welcome('OWNER');
      const { agentDid, approval } = await waiting(ada.headers);
      const agent = ok(await world.rest('GET', `/ap2/agents/${encodeURIComponent(agentDid)}`));
      assert.equal(agent.ownerUserId, ada.me.userId, 'who registers an agent owns it');
      const approved = await decide(ada.phone, approval.id);
      assert.equal(ok(approved).status, 'approved');
      const bob = await welcome('OWNER');
      const next = await waiting(bob.headers);
      const stranger = await decideWith(ada.phone, next.approval.id);
      assert.equal(stranger.status, 400, 'another user’s passkey');
      ok(
        await world.rest('PUT', `/ap2/agents/${encodeURIComponent(next.agentDid)}`, { ownerUserId: null }, bob.headers),
      );
      const orphaned = await world.rest(
        'POST',
        `/approve/${next.approval.id}/begin`,
        { decision: 'approve' },
        NO_CREDENTIAL,
      );
      assert.equal(orphaned.status, 409, 'and no user’s once it has no owner');
    });

    test('a person is told of each approval that waits whether a passkey that may be theirs approves it', async () => {
      const [ada, bob] = [await welcome('OWNER'), await welcome('MEMBER')];
      const { agentDid, approval } = await waiting(ada.headers);
      const path = `/ap2/approvals/${approval.id}`;
      const told = async (headers?: Record<string, string>): Promise<[unknown, unknown]> => {
        const { data } = ok(await world.rest('GET', '/ap2/approvals?status=pending', undefined, headers));
        const listed = data.find(({ id }: Loose) => id === approval.id);
        return [listed.canApprove, ok(await world.rest('GET', path, undefined, headers)).canApprove];
      };
      assert.deepEqual(await told(ada.headers), [true, true], 'the owner');
      assert.deepEqual(await told(bob.headers), [false, false], 'another user');
      assert.deepEqual(await told(), [undefined, undefined], 'a key');
      const link = ok(await world.rest('POST', '/ap2/admin/enrollments', { agentDid }), 201);
      const enrolling = new URL(link.url).pathname;
      const begun = ok(await world.rest('POST', `${enrolling}/begin`, { deviceName: 'shared' }, NO_CREDENTIAL));
      const credential = bob.phone.create(begun.publicKey);
      ok(await world.rest('POST', `${enrolling}/complete`, { credential }, NO_CREDENTIAL));
      assert.deepEqual(await told(bob.headers), [false, false], 'a user by whose link it did not come');
      ok(await world.rest('POST', `/ap2/admin/agents/${encodeURIComponent(agentDid)}/suspend`, {}));
      assert.deepEqual(await told(ada.headers), [false, false], 'of an agent that may not buy');
      ok(await world.rest('POST', `${path}/deny`, {}, ada.headers));
      assert.equal(
        ok(await world.rest('GET', path, undefined, ada.headers)).canApprove,
        undefined,
        'once it is decided',
      );
    });

    test('a person is told what is missing, step by step, until a purchase of a registered principal can be approved', async () => {
      const ada = await welcome('OWNER');
      const { agentDid, approval } = await waiting(ada.headers);
      const missing = async () => {
        const { data } = ok(await world.rest('GET', '/ap2/approvals?status=pending', undefined, ada.headers));
        const listed = data.find(({ id }: Loose) => id === approval.id);
        const one = ok(await world.rest('GET', `/ap2/approvals/${approval.id}`, undefined, ada.headers));
        assert.deepEqual([listed.canApprove, listed.missing], [one.canApprove, one.missing]);
        assert.equal(listed.principalDid, agentDid);
        return listed.canApprove === true ? 'nothing' : listed.missing;
      };
      assert.equal(await missing(), 'nothing', 'her own passkey, since she owns the agent');
      const agent = `/ap2/agents/${encodeURIComponent(agentDid)}`;
      ok(await world.rest('PUT', agent, { ownerUserId: null }));
      assert.equal(await missing(), 'agentPasskey');
      ok(await world.rest('PUT', agent, { ownerUserId: (await welcome('ADMIN')).me.userId }));
      assert.equal(await missing(), 'agentOwner');
      const principal = { did: agentDid, name: 'Lovelace household' };
      ok(await world.rest('POST', '/ap2/admin/principals', principal), 201);
      assert.equal(await missing(), 'delegation');
      const path = `/ap2/admin/principals/${encodeURIComponent(principal.did)}`;
      ok(await world.rest('PUT', path, { agents: [agentDid] }));
      assert.equal(await missing(), 'principalPasskey', 'no other passkey approves what it pays');
      const link = ok(
        await world.rest('POST', '/ap2/admin/enrollments', { principalDid: principal.did }, ada.headers),
        201,
      );
      const enrolling = new URL(link.url).pathname;
      const begun = ok(await world.rest('POST', `${enrolling}/begin`, { deviceName: 'household' }, NO_CREDENTIAL));
      const credential = ada.phone.create(begun.publicKey);
      ok(await world.rest('POST', `${enrolling}/complete`, { credential }, NO_CREDENTIAL));
      assert.equal(await missing(), 'nothing', 'the holder of a passkey whose link she made may be herself');
      ok(await world.rest('POST', `/ap2/admin/agents/${encodeURIComponent(agentDid)}/suspend`, {}));
      assert.equal(await missing(), 'activeAgent');
    });

    /** A purchase of a new agent of a user that waits for a person. */
    async function waiting(headers: Record<string, string>): Promise<{ agentDid: string; approval: Loose }> {
      await world.rest('POST', '/ap2/admin/policies', {
        name: 'asks',
        rules: { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } },
      });
      const { did, publicKey } = makePeer();
      ok(await world.rest('POST', '/ap2/agents', { name: 'Owned', publicKey }, headers), 201);
      const request = { maxAmount: 50, currency: 'USD' };
      const { intentVc } = ok(await world.rest('POST', '/ap2/intents', { agentDid: did, principalDid: did, request }));
      const { cartVc } = ok(
        await world.rest('POST', '/ap2/demo/cart', {
          payerDid: did,
          domain: 'shop.example',
          amount: 20,
          currency: 'USD',
        }),
      );
      const { approval } = ok(await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc }));
      return { agentDid: did, approval };
    }

    const decide = async (phone: Phone, id: string): Promise<Reply> => {
      const begun = ok(await world.rest('POST', `/approve/${id}/begin`, { decision: 'approve' }, NO_CREDENTIAL));
      const body = { challengeId: begun.challengeId, credential: phone.get(begun.publicKey) };
      return world.rest('POST', `/approve/${id}/complete`, body, NO_CREDENTIAL);
    };
    /** With a passkey that was not asked for. */
    const decideWith = async (phone: Phone, id: string): Promise<Reply> => {
      const begun = ok(await world.rest('POST', `/approve/${id}/begin`, { decision: 'approve' }, NO_CREDENTIAL));
      const credential = phone.get({ ...begun.publicKey, allowCredentials: [] });
      return world.rest(
        'POST',
        `/approve/${id}/complete`,
        { challengeId: begun.challengeId, credential },
        NO_CREDENTIAL,
      );
    };
  });
}
