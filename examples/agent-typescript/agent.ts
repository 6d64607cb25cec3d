// An agent that buys at the shop of ../shop. It ends paid, refused with what would pass, or declined, and waits where a person must approve.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApprovalLink, type ApprovalState, agentOf, countersign, type Refusal } from 'countersign-client';

const { COUNTERSIGN_URL = 'http://localhost:8402', SHOP_URL = 'http://localhost:3000' } = process.env;

// The agent signs each request with its own key, and needs no secret of the node.
const agent = agentOf(readFileSync('agent.seed'));
const node = countersign({ baseUrl: COUNTERSIGN_URL, credential: { agent } });

/** As the shop tells it; the cart is what it signed. */
interface Order {
  readonly id: string;
  readonly status: 'offered' | 'accepted' | 'shipped';
  readonly cart: { readonly credentialSubject: Wanted };
}
interface Wanted {
  readonly merchant: string;
  readonly total: number;
  readonly currency: string;
}

const [sku = 'sencha', quantity = '1'] = process.argv.slice(2);
console.log(await buy(sku, Number(quantity)));

async function buy(sku: string, quantity: number): Promise<string> {
  const { id, cart: cartVc } = await shop<Order>('/orders', { lines: [{ sku, quantity }] });
  const { merchant, total, currency } = cartVc.credentialSubject;

  // Ask for permission to spend so much there, have the cart approved, and pay.
  const request = { maxAmount: total, currency, vendorHints: { domain: merchant } };
  const intent = await node.issueIntent({ agentDid: agent.did, principalDid: agent.did, request });
  if (!intent.allowed) return refused(intent, cartVc.credentialSubject);
  const { intentVc } = intent;
  let approved = await node.validateCart({ intentVc, cartVc });
  if (!approved.allowed && approved.approval) {
    const { status, hpProof } = await askPerson(approved.approval);
    if (hpProof === undefined) return `refused: the request to the person is ${status}`;
    // The proof is for this cart alone.
    approved = await node.validateCart({ intentVc, cartVc, hpProof });
  }
  if (!approved.allowed) return refused(approved, cartVc.credentialSubject);
  const payment = await node.mandatePayment({ approvalToken: approved.approvalToken });
  if (!('pmVc' in payment)) return refused(payment, cartVc.credentialSubject);
  const { error } = payment.railResponse;
  if (error) return `declined by the rail: ${error.message}`;

  // The shop gets what the node signed, and ships once the node has told it that the money is held.
  await shop(`/orders/${id}/mandate`, payment.pmVc);
  let { status } = await shop<Order>(`/orders/${id}`);
  for (let tries = 0; status !== 'shipped' && tries < 50; tries++) {
    await sleep(200);
    ({ status } = await shop<Order>(`/orders/${id}`));
  }
  return `paid: ${total.toFixed(2)} ${currency}, and the order is ${status}`;
}

/** The person gets the link; the agent waits for what they decide. */
async function askPerson({ id, url }: ApprovalLink): Promise<ApprovalState> {
  console.log(`waiting for the person, at ${url}`);
  let approval = await node.getApproval({ id, wait: 30 });
  while (approval.status === 'pending') approval = await node.getApproval({ id, wait: 30 });
  return approval;
}

/** Why not, and what would pass instead: to ask that counts nothing. */
async function refused({ reasonCodes, details }: Refusal, { merchant, total, currency }: Wanted): Promise<string> {
  const asked = { agentDid: agent.did, amount: total, currency, merchantDomain: merchant };
  const { counterfactual } = await node.explainPolicy(asked);
  const reasons = reasonCodes.map((code) => `refused: ${code}: ${details[code]?.message}`);
  return [...reasons, counterfactual?.sentence ?? 'Nothing like it would pass.'].join('\n');
}

async function shop<Answer>(path: string, body?: unknown): Promise<Answer> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(SHOP_URL + path, { ...sent, signal: AbortSignal.timeout(10_000) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`The shop says: ${answer.error}`);
  return answer as Answer;
}
