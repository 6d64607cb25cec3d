// A host of the Model Context Protocol: its stock client starts `countersign mcp`, and calls the tools that a model would call.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { COUNTERSIGN_URL: url, MODEL_KEY, SHOP_URL = 'http://localhost:3000' } = process.env;
const [sku = 'sencha', quantity = '1'] = process.argv.slice(2);

// As a host's configuration has it. The key is bound to one agent, so that the model spends for no other.
const server = {
  command: 'countersign',
  args: ['mcp', '--url', url],
  env: { PATH: process.env.PATH, COUNTERSIGN_API_KEY: MODEL_KEY },
};
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StdioClientTransport(server));

/** Calls a tool, and prints what the model reads of its answer. A refusal by the policy is no error. */
async function call(name, input = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  console.log(`${name}: ${content[0].text}`);
  if (isError) throw new Error('The call was wrong.');
  return structuredContent;
}

async function shop(path, body) {
  const response = await fetch(SHOP_URL + path, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The shop says: ${(await response.json()).error}`);
  return response.json();
}

/** @returns whether it was paid */
async function buy(order) {
  const { merchant, total, currency } = order.cart.credentialSubject;
  const { intentId } = await call('request_intent', { maxAmount: total, currency, merchantDomain: merchant });
  if (intentId === undefined) return false;
  let cart = await call('validate_cart', { intentId, cartVc: order.cart });
  if (cart.approval !== undefined) {
    // The model shows the link to the person, and waits, 30 seconds in each call.
    let approval;
    do approval = await call('wait_for_approval', { approvalId: cart.approval.id });
    while (approval.status === 'pending');
    if (approval.hpProof === undefined) return false;
    cart = await call('validate_cart', { intentId, cartVc: order.cart, hpProof: approval.hpProof });
  }
  if (!cart.allowed) return false;
  const { pmVc } = await call('pay', { approvalToken: cart.approvalToken });
  if (pmVc === undefined) return false;
  await shop(`/orders/${order.id}/mandate`, pmVc);
  return true;
}

try {
  await call('check_limits');
  const order = await shop('/orders', { lines: [{ sku, quantity: Number(quantity) }] });
  console.log((await buy(order)) ? 'The shop has the payment mandate.' : 'Nothing was bought.');
} finally {
  await client.close();
}
