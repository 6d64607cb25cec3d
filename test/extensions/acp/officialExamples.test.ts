/** The official examples of ACP: which of them fail its own schemas, and that each session among them can be read all the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSession, totalOfSession } from '../../../protocol/acp/checkoutSession.ts';
import { cartOfSession } from '../../../protocol/acp/sessionCart.ts';
import { minorOfItems } from '../../../protocol/cart.ts';
import type { Loose } from '../../support/world.ts';
import { checkoutExamples, exampleFile, faultsOf } from './acpSchemas.ts';

/** By which definition an example is judged. */
function definitionOf(name: string): string {
  if (/^create_.*request/.test(name)) return 'CheckoutSessionCreateRequest';
  if (/^update_.*request/.test(name)) return 'CheckoutSessionUpdateRequest';
  if (/^(complete_.*request|complete_session_.*)/.test(name)) return 'CheckoutSessionCompleteRequest';
  if (/^cancel_.*request/.test(name)) return 'CancelSessionRequest';
  if (name === 'complete_checkout_session_response') return 'CheckoutSessionWithOrder';
  if (name.startsWith('webhook')) return 'Order';
  if (name.startsWith('authentication_result')) return 'AuthenticationResult';
  if (name.startsWith('error')) return 'Error';
  if (name.startsWith('discovery')) return 'DiscoveryResponse';
  return 'CheckoutSession';
}

const DISCOUNTS = [
  'automatic-discount',
  'order-level-discount',
  'percentage-discount-with-allocations',
  'rejected-discount-code',
  'stacked-discounts',
].map((name) => `discount-extension/${name}.json`);
const ORDERS = ['digital-fulfillment', 'partial-fulfillment', 'refunded-order', 'shipped-order', 'simple-order'].map(
  (name) => `orders/${name}.json`,
);
const mcp = Object.entries(exampleFile('examples.mcp.agentic_checkout.json') as Record<string, Loose>);
const manyItems = exampleFile('examples.multi_item_checkout.json')['create_multi_item_checkout_response'];

describe('the official examples', () => {
  test('of the checkout pass its schemas, but for three', () => {
    const failed = Object.entries(checkoutExamples).filter(([name, document]) => {
      const judged = name.startsWith('webhook') ? document['data'] : document;
      return faultsOf(definitionOf(name), judged).length > 0;
    });
    assert.deepEqual(failed.map(([name]) => name).sort(), [
      'authentication_result_denied_example',
      'webhook_order_create_event',
      'webhook_order_update_event',
    ]);
  });

  test('of discounts, of several items and of orders do not', () => {
    for (const path of DISCOUNTS) assert.notEqual(faultsOf('CheckoutSession', exampleFile(path)['response']).length, 0);
    assert.notEqual(faultsOf('CheckoutSession', manyItems).length, 0);
    for (const path of ORDERS) assert.notEqual(faultsOf('Order', exampleFile(path)).length, 0, path);
  });

  test('of the answers over MCP do not', () => {
    const answers = mcp.filter(([, { result }]) => result !== undefined);
    assert.ok(answers.length >= 4);
    for (const [name, { result }] of answers) assert.notEqual(faultsOf('CheckoutSession', result).length, 0, name);
  });
});

const SESSIONS: readonly (readonly [string, Loose])[] = [
  ...Object.entries(checkoutExamples).filter(([name]) => /CheckoutSession(WithOrder)?$/.test(definitionOf(name))),
  ...DISCOUNTS.map((path) => [path, exampleFile(path)['response']] as const),
  ['several items', manyItems],
];

describe('a session of the official examples', () => {
  for (const [name, document] of SESSIONS) {
    test(`is read, and its cart comes to its total: ${name}`, () => {
      const session = readSession(document, 'session');
      const total = totalOfSession(session);
      const { items, note } = cartOfSession(session, total, 'shop.example');
      assert.equal(Number(minorOfItems({ items, currency: session.currency })), total);
      assert.ok(total > 0);
      if (note !== undefined) assert.equal(items.length, 1);
    });
  }

  test('adds up by the rule of ACP, but for two', () => {
    const odd = SESSIONS.filter(([, document]) => {
      const session = readSession(document, 'session');
      return cartOfSession(session, totalOfSession(session), 'shop.example').note !== undefined;
    });
    assert.deepEqual(
      odd.map(([name]) => name),
      ['discount-extension/automatic-discount.json', 'several items'],
    );
  });
});
