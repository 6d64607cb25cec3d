/** What other servers ask for through their tools, in each shape that they use, is read by the tool that pays. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { authorizeHttpPayment } from '../../../src/extensions/mcp/payingTools.ts';
import type { Loose } from '../../support/world.ts';

const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
const CHALLENGES = [{ id: 'c1', realm: 'r', method: 'stripe', intent: 'charge', request: {} }];
const REQUIRED = { x402Version: 2, accepts: [{ scheme: 'exact' }] };
const REFUSED = { allowed: false, reasonCodes: [], details: {} };

async function askedOf(received: object): Promise<Loose> {
  let asked: Loose;
  const desk = {
    agent: async () => AGENT,
    ask: async (_name: string, input: object) => {
      asked = input;
      return REFUSED;
    },
  };
  await authorizeHttpPayment.run(
    { desk, opensUrls: false, returned: undefined } as never,
    { received, toolName: 'report' } as never,
  );
  return asked;
}

const MPP: readonly (readonly [string, object])[] = [
  ['an error of MPP', { error: { code: -32042, message: 'Pay', data: { httpStatus: 402, challenges: CHALLENGES } } }],
  ['an error that is declined', { code: -32043, data: { challenges: CHALLENGES } }],
  ['a result of MPP', { content: [], _meta: { 'org.paymentauth/payment-required': { challenges: CHALLENGES } } }],
];
const X402: readonly (readonly [string, object])[] = [
  ['structured content', { isError: true, structuredContent: REQUIRED, content: [] }],
  ['the first text', { isError: true, content: [{ type: 'text', text: JSON.stringify(REQUIRED) }] }],
  ['the extension of x402', { resultType: 'payment_required', ...REQUIRED }],
];

describe('what a tool of another server asks for', () => {
  for (const [name, received] of MPP) {
    test(`is read from ${name}`, async () => {
      assert.deepEqual(await askedOf(received), { agentDid: AGENT, toolName: 'report', challenges: CHALLENGES });
    });
  }
  for (const [name, received] of X402) {
    test(`is read from ${name}`, async () => {
      const { accepts } = (await askedOf(received)).paymentRequired;
      assert.deepEqual(accepts, REQUIRED.accepts);
    });
  }

  test('is nothing where the server wishes an address to be opened, by the same number', async () => {
    const received = {
      error: { code: -32042, data: { elicitations: [{ mode: 'url', url: 'https://shop.example' }] } },
    };
    await assert.rejects(askedOf(received), /asks for no payment/);
  });
});
