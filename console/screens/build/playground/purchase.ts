/** A purchase by the playground's agent: it asks, the sandbox's shop makes an offer, the node judges, the rail answers. */
import type { Refusal } from '../../../../client/operations.ts';
import { node } from '../../../node/node.ts';
import { amountText } from '../../../parts/values/amount.ts';
import type { End, Link, Stage } from './stage.ts';

const SHOP = 'shop.example';
export const CURRENCY = 'USD';

type Credential = Readonly<Record<string, unknown>>;
type HpProof = NonNullable<Awaited<ReturnType<Stage['agent']['rest']['getApproval']>>['hpProof']>;

/** What was bought, or how it ended before. */
type Outcome<Value> = { readonly value: Value } | { readonly end: End };

/** A payment as the rail answered to it. */
interface Asked {
  readonly mandateId: string;
  readonly status: string;
  readonly error: string | undefined;
}

/** @param instrument how it is paid; the rail's usual card when absent */
export async function buy(stage: Stage, amount: number, instrument?: string): Promise<Outcome<Asked>> {
  const intent = await askPermission(stage, amount);
  if ('end' in intent) return intent;
  const cartVc = await shop(stage, amount);
  const cart = await showCart(stage, intent.value, cartVc);
  return 'end' in cart ? cart : pay(stage, cart.value, instrument);
}

async function askPermission(stage: Stage, amount: number): Promise<Outcome<Credential>> {
  const { agent } = stage;
  const request = { maxAmount: amount, currency: CURRENCY, vendorHints: { domain: SHOP } };
  const body = { agentDid: agent.did, principalDid: agent.did, request };
  const answered = await agent.send({ type: 'IntentMandate', body });
  const title = `The agent asks to spend up to ${amountText(amount, CURRENCY)} at ${SHOP}`;
  if (answered.allowed) {
    stage.show({ title: `${title}: allowed`, tone: 'good', sent: body, answered });
    return { value: answered.intentVc };
  }
  const link = await decisionOf(agent.did);
  stage.show({ title: `${title}: refused`, tone: 'bad', sent: body, answered, link });
  return { end: refusedEnd(answered, link) };
}

async function shop(stage: Stage, amount: number): Promise<Credential> {
  const sent = { payerDid: stage.agent.did, domain: SHOP, amount, currency: CURRENCY };
  const answered = await node.demoCart(sent);
  stage.show({ title: 'The shop signs an offer', tone: 'plain', sent, answered });
  return answered.cartVc;
}

/** @returns the approval token */
async function showCart(stage: Stage, intentVc: Credential, cartVc: Credential): Promise<Outcome<string>> {
  const body = { intentVc, cartVc };
  const answered = await stage.agent.send({ type: 'CartMandate', body });
  const title = 'The agent shows the offer to the node';
  if (answered.allowed) {
    stage.show({ title: `${title}: accepted`, tone: 'good', sent: body, answered });
    return { value: answered.approvalToken };
  }
  const { approval } = answered;
  if (approval === undefined) {
    const link = await decisionOf(stage.agent.did);
    stage.show({ title: `${title}: refused`, tone: 'bad', sent: body, answered, link });
    return { end: refusedEnd(answered, link) };
  }
  const link = { href: `#/approvals/${approval.id}`, text: 'To the approval' };
  stage.show({ title: `${title}: a person must decide`, tone: 'plain', sent: body, answered, link });
  const proof = await waitForPerson(stage, approval.id);
  if ('end' in proof) return proof;
  return showAgain(stage, { ...body, hpProof: proof.value });
}

/** How long the agent lets one request wait for the decision. */
const WAIT_SECONDS = 15;

async function waitForPerson(stage: Stage, id: string): Promise<Outcome<HpProof>> {
  stage.wait(id);
  for (;;) {
    const answered = await stage.agent.rest.getApproval({ id, wait: WAIT_SECONDS });
    if (answered.status === 'pending') continue;
    const link = { href: `#/approvals/${id}`, text: 'To the approval' };
    const isApproved = answered.status === 'approved';
    const title = isApproved ? 'The person approves, and the agent gets the proof' : 'The person does not approve';
    stage.show({ title, tone: isApproved ? 'good' : 'bad', sent: { id, wait: WAIT_SECONDS }, answered, link });
    if (answered.hpProof !== undefined) return { value: answered.hpProof };
    const text = answered.status === 'denied' ? 'Denied. Nothing is bought.' : 'Nobody decided in time.';
    return { end: { isAsTold: answered.status === 'denied', text, link } };
  }
}

async function showAgain(
  stage: Stage,
  body: { intentVc: Credential; cartVc: Credential; hpProof: HpProof },
): Promise<Outcome<string>> {
  const answered = await stage.agent.send({ type: 'CartMandate', body });
  const title = 'The agent shows the offer again, with the proof';
  if (answered.allowed) {
    stage.show({ title: `${title}: accepted`, tone: 'good', sent: body, answered });
    return { value: answered.approvalToken };
  }
  const link = await decisionOf(stage.agent.did);
  stage.show({ title: `${title}: refused`, tone: 'bad', sent: body, answered, link });
  return { end: refusedEnd(answered, link) };
}

async function pay(stage: Stage, approvalToken: string, instrument: string | undefined): Promise<Outcome<Asked>> {
  const body = { approvalToken, ...(instrument === undefined ? {} : { instrument }) };
  const answered = await stage.agent.send({ type: 'PaymentMandate', body });
  if (!('pmVc' in answered)) {
    const link = await decisionOf(stage.agent.did);
    stage.show({ title: 'The agent pays: refused', tone: 'bad', sent: body, answered, link });
    return { end: refusedEnd(answered, link) };
  }
  const { status, error } = answered.railResponse;
  const mandateId = String(answered.pmVc.credentialSubject.mandateId);
  const isHeld = status === 'requires_capture';
  const title = isHeld ? 'The agent pays: the amount is reserved' : 'The agent pays: the rail refuses';
  stage.show({ title, tone: isHeld ? 'good' : 'bad', sent: body, answered, link: toPayment(mandateId) });
  return { value: { mandateId, status, error: error?.message } };
}

/** The shop has delivered. */
export async function takeMoney(stage: Stage, mandateId: string): Promise<void> {
  const answered = await node.capturePayment({ mandateId });
  const title = 'The shop delivers, and the money is taken';
  stage.show({ title, tone: 'good', sent: { mandateId }, answered, link: toPayment(mandateId) });
}

export function toPayment(mandateId: string): Link {
  return { href: `#/payments/${mandateId}`, text: 'To the payment' };
}

/** The newest one of the agent is that of the refusal. */
async function decisionOf(agentDid: string): Promise<Link> {
  const [newest] = (await node.listDecisions({ agentDid, limit: 1 })).data;
  const text = 'To the decision';
  return newest === undefined ? { href: '#/decisions', text } : { href: `#/decisions/${newest.transactionId}`, text };
}

function refusedEnd({ reasonCodes, details }: Refusal, link: Link): End {
  const messages = reasonCodes.map((code) => details[code]?.message ?? code);
  return { isAsTold: false, text: `Refused. ${messages.join(' ')}`, link };
}
