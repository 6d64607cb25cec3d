// A shop that sells to agents: it lists what it has, signs carts, takes payment mandates for them, and ships once the money is held.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { agentOf, CountersignError, signCart, verifyPaymentMandate, verifyWebhook } from 'countersign-client';

const { PORT = '3000', DOMAIN = 'teahouse.example', NODE_DID, WEBHOOK_SECRET } = process.env;
if (!NODE_DID || !WEBHOOK_SECRET) throw new Error('Set NODE_DID and WEBHOOK_SECRET, as README.md says.');
const merchant = agentOf(readFileSync('merchant.seed'));
const currency = 'USD';
const items = [
  { sku: 'sencha', name: 'Sencha, 100 g', price: 12.5 },
  { sku: 'teapot', name: 'Cast iron teapot', price: 138 },
  { sku: 'samovar', name: 'Samovar', price: 460 },
];
const shipping = { name: 'Shipping', price: 4.9, quantity: 1 };

/** By its id, what was offered: the cart as it was signed, and how far it is. A shop keeps them in its database. */
const orders = new Map();
/** Payments of which the rail holds the money. The node may tell it before the agent brings the mandate, and twice. */
const held = new Set();

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const routes = {
  'GET /items': () => ({ domain: DOMAIN, currency, items }),

  /** The agent says what it wants, and the shop what that costs. */
  'POST /orders': (body) => {
    const { lines } = Object(JSON.parse(body));
    if (!Array.isArray(lines) || lines.length === 0) throw new Refusal(400, 'Name what you want in "lines".');
    const wanted = lines.map((line) => {
      const { sku, quantity = 1 } = Object(line);
      const item = items.find((each) => each.sku === sku);
      if (item === undefined) throw new Refusal(400, `There is no "${sku}".`);
      return { name: item.name, price: item.price, quantity };
    });
    const cart = signCart(merchant, { domain: DOMAIN, currency, items: [...wanted, shipping] });
    const order = { id: randomUUID(), status: 'offered', cart, mandates: new Set() };
    orders.set(order.id, order);
    setTimeout(() => order.status === 'offered' && orders.delete(order.id), 3_600_000).unref();
    return { id: order.id, status: order.status, cart };
  },

  'GET /orders/:id': (_body, order) => ({ id: order.id, status: order.status }),

  /** The agent brings what its node signed. It says that the payment is allowed, and not yet that the money is there. */
  'POST /orders/:id/mandate': (body, order) => {
    const { cart } = order;
    const { mandateId } = verifyPaymentMandate(merchant, JSON.parse(body), { nodeDid: NODE_DID, cart });
    if (order.status === 'offered') order.status = 'accepted';
    // A second one for the same cart comes where the rail declined the first.
    order.mandates.add(mandateId);
    console.log(`${mandateId} is for ${cart.credentialSubject.total} ${currency}`);
    shipIfHeld(order);
    return { id: order.id, status: order.status };
  },

  'POST /webhooks': (body, _order, headers) => {
    const { type, data, test } = verifyWebhook(WEBHOOK_SECRET, { headers, body });
    if (type !== 'payment.authorized' || test || data.merchant !== DOMAIN) return {};
    held.add(data.mandateId);
    for (const order of orders.values()) shipIfHeld(order);
    return {};
  },
};

/** An order ships once, however often it is paid or told of. */
function shipIfHeld(order) {
  if (order.status !== 'accepted' || ![...order.mandates].some((id) => held.has(id))) return;
  order.status = 'shipped';
  console.log(`shipped: ${order.cart.credentialSubject.items.map(({ name }) => name).join(', ')}`);
}

async function answer(request) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > 262_144) throw new Refusal(413, 'That is too long.');
    pieces.push(piece);
  }
  const path = new URL(request.url, 'http://shop').pathname;
  const [, id] = /^\/orders\/([\w-]+)/.exec(path) ?? [];
  const route = routes[`${request.method} ${id === undefined ? path : path.replace(id, ':id')}`];
  const order = orders.get(id);
  if (route === undefined || (id !== undefined && order === undefined)) throw new Refusal(404, 'That is not here.');
  return route(Buffer.concat(pieces).toString(), order, request.headers);
}

/** What went wrong, and nothing else of it: an agent's mistake, a mandate or webhook that does not hold, or a fault of the shop. */
function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (error instanceof SyntaxError) return new Refusal(400, 'The body is not JSON.');
  if (error instanceof CountersignError)
    return new Refusal(error.code === 'INVALID_WEBHOOK' ? 401 : 400, error.message);
  console.error(error);
  return new Refusal(500, 'The shop has a fault.');
}

createServer(async (request, response) => {
  const [status, body] = await answer(request).then(
    (found) => [200, found],
    (error) => {
      const { status, message } = refusalOf(error);
      return [status, { error: message }];
    },
  );
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(Number(PORT), '127.0.0.1', () => console.log(`${DOMAIN} sells at http://localhost:${PORT}`));
