/** A message of standard A2A that asks for a signed request is answered at once, to its sender alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { resultOf, signedMessage, taskMessage } from '../../support/standardPeer.ts';
import { makeWorld, SHOP } from '../../support/world.ts';

for (const engine of everyEngine()) {
  test(`the headers of a signed request come in a message, once, and for an agent's own purchase, on ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    try {
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
      const { mandateId: intentId } = intentVc.credentialSubject;
      const ask = { intentId, method: 'GET', url: `https://${SHOP}/tea`, profile: 'web-bot-auth' };
      const part = (body: object) => taskMessage({ 'countersign.httpSignature': body });
      const sent = (message: object) => resultOf(world, 'SendMessage', { message }, {});
      const message = signedMessage(world, world.agent, part(ask), new Date());
      const { message: answer, task } = await sent(message);
      assert.equal(task, undefined);
      const { headers, expiresAt } = answer.parts[0].data['countersign.httpSignatureResult'];
      assert.deepEqual(Object.keys(headers).sort(), ['Signature', 'Signature-Agent', 'Signature-Input']);
      assert.ok(answer.parts[1].text.endsWith(`until ${expiresAt}.`));
      await assert.rejects(sent(message), /used before/);
      const stranger = await world.newAgent();
      await assert.rejects(sent(signedMessage(world, stranger, part(ask), new Date())), /There is no intent/);
      const wrong = part({ ...ask, url: 'https://other.example/tea' });
      await assert.rejects(sent(signedMessage(world, world.agent, wrong, new Date())), /shop\.example/);
      const nameless = part({ ...ask, method: 'STEAL' });
      await assert.rejects(sent(signedMessage(world, world.agent, nameless, new Date())), /httpSignature\.method/);
    } finally {
      await world.close();
    }
  });
}
