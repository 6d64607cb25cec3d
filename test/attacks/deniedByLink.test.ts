/** The link to an approval is never enough to approve, and enough to deny only where the policy says so. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { askForApproval, leap, makePerson, NO_CREDENTIAL } from '../support/person.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a holder of the link to an approval on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const deny = (id: string, body: unknown = { decision: 'deny' }, headers: Record<string, string> = NO_CREDENTIAL) =>
      world.rest('POST', `/approve/${id}/deny`, body, headers);
    const stateOf = async (id: string): Promise<Loose> => (await world.rest('GET', `/ap2/approvals/${id}`)).body;
    const view = async (id: string): Promise<Loose> =>
      (await world.rest('GET', `/approve/${id}/purchase`, undefined, NO_CREDENTIAL)).body;

    async function letLinksDeny(value: boolean | undefined) {
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      const context = value === undefined ? {} : { deny_by_link: value };
      const made = await world.rest('POST', '/ap2/admin/policies', {
        name: 'test',
        rules: { version: '2.0', spend, context },
      });
      assert.equal(made.status, 201, made.text);
    }

    test('denies nothing unless the policy says so', async () => {
      for (const value of [undefined, false]) {
        await letLinksDeny(value);
        const { approval } = await askForApproval(world);
        assert.equal((await view(approval.id)).deniableByLink, false);
        const refused = await deny(approval.id);
        assert.equal(refused.status, 403, refused.text);
        assert.match(refused.body.error.message, /passkey/);
        assert.equal((await stateOf(approval.id)).status, 'pending');
      }
    });

    test('denies where the policy says so, without a passkey; the intent ends, and the evidence says how', async () => {
      await letLinksDeny(true);
      const { intentVc, approval } = await askForApproval(world);
      assert.equal((await view(approval.id)).deniableByLink, true);
      const denied = await deny(approval.id);
      assert.equal(denied.status, 200, denied.text);
      assert.equal(denied.body.status, 'denied');
      assert.equal(denied.body.decision.by, 'link');
      const { transactionId } = await stateOf(approval.id);
      const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
      const event = events.find(({ eventType }: Loose) => eventType === 'APPROVAL_DENIED');
      assert.equal(event.data.deniedBy, 'link');
      const again = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(150) });
      assert.ok(again.body.reasonCodes.includes('INTENT_EXPIRED'), again.text);
      assert.equal((await deny(approval.id)).status, 409);
    });

    test('approves nothing by it under any policy', async () => {
      await letLinksDeny(true);
      const { approval } = await askForApproval(world);
      for (const body of [{ decision: 'approve' }, { status: 'approved' }, {}]) {
        const refused = await deny(approval.id, body);
        assert.equal(refused.status, 400, refused.text);
      }
      const begun = await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, NO_CREDENTIAL);
      assert.equal(begun.status, 409, 'no passkey is enrolled');
      assert.equal((await stateOf(approval.id)).status, 'pending');
    });

    test('takes back no approval, and denies nothing that is over', async () => {
      await letLinksDeny(true);
      const person = makePerson(world);
      await person.enroll();
      const yes = await askForApproval(world);
      await person.decide(yes.approval.id);
      assert.equal((await deny(yes.approval.id)).status, 409);
      assert.equal((await stateOf(yes.approval.id)).status, 'approved');
      const late = await askForApproval(world);
      const back = leap(world, 901);
      try {
        assert.equal((await deny(late.approval.id)).status, 409);
      } finally {
        back();
      }
    });

    test('does not deny by opening the link, nor by the form of a foreign page', async () => {
      await letLinksDeny(true);
      const { approval } = await askForApproval(world);
      for (const path of [`/approve/${approval.id}`, `/approve/${approval.id}/deny`]) {
        await world.rest('GET', path, undefined, NO_CREDENTIAL);
      }
      // What a page elsewhere can send without being asked for permission first (Fetch, section 4.10).
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
        const sent = await deny(approval.id, '{"decision":"deny"}', { 'Content-Type': type });
        assert.equal(sent.status, 415, sent.text);
      }
      const bare = await fetch(`${world.node.address}/approve/${approval.id}/deny`, { method: 'POST' });
      assert.equal(bare.status, 400, await bare.text());
      assert.equal((await stateOf(approval.id)).status, 'pending');
    });
  });
}
