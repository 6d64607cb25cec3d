/** A purchase by the playground's agent: it asks, the sandbox's shop makes an offer, the node judges, the rail answers. */
import type { Refusal } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { amountText } from '../../../../console/parts/values/amount.ts';
import type { End, PlayLink, PlayStage } from './stage.ts';

const SHOP = 'shop.example';
export const CURRENCY = 'USD';

type Credential = Readonly<Record<string, unknown>>;
type HpProof = NonNullable<Awaited<ReturnType<PlayStage['agent']['rest']['getApproval']>>['hpProof']>;

/** What was bought, or how it ended before. */
type Outcome<Value> = { readonly value: Value } | { readonly end: End };

/** A payment as the rail answered to it. */
interface PaymentOutcome {
  readonly mandateId: string;
  readonly status: string;
  readonly error: string | undefined;
}

/** @param instrument how it is paid; the rail's usual card when absent */
export async function buy(stage: PlayStage, amount: number, instrument?: string): Promise<Outcome<PaymentOutcome>> {
  const intent = await askPermission(stage, amount);
  if ('end' in intent) return intent;
  const cartVc = await shop(stage, amount);
  const cart = await showCart(stage, { intentVc: intent.value, cartVc });
  return 'end' in cart ? cart : pay(stage, cart.value, instrument);
}

async function askPermission(stage: PlayStage, amount: number): Promise<Outcome<Credential>> {
  const { agent } = stage;
  const request = { maxAmount: amount, currency: CURRENCY, vendorHints: { domain: SHOP } };
  const body = { agentDid: agent.did, principalDid: agent.did, request };
  const { answer, ...exchange } = await agent.say({ type: 'IntentMandate', body });
  const title = `The agent asks to spend up to ${amountText(amount, CURRENCY)} at ${SHOP}`;
  if (answer.allowed) {
    stage.show({ title: `${title}: allowed`, tone: 'good', ...exchange });
    return { value: answer.intentVc };
  }
  const link = await decisionOf(agent.did);
  stage.show({ title: `${title}: refused`, tone: 'bad', ...exchange, link });
  return { end: refusedEnd(answer, link) };
}

async function shop(stage: PlayStage, amount: number): Promise<Credential> {
  const sent = { payerDid: stage.agent.did, domain: SHOP, amount, currency: CURRENCY };
  const answered = await node.demoCart(sent);
  stage.show({ title: 'The shop signs an offer', tone: 'plain', sent, answered });
  return answered.cartVc;
}

interface Cart {
  readonly intentVc: Credential;
  readonly cartVc: Credential;
  /** That the person has approved it. */
  readonly hpProof?: HpProof;
}

/** @returns the approval token */
async function showCart(stage: PlayStage, body: Cart): Promise<Outcome<string>> {
  const isAgain = body.hpProof !== undefined;
  const title = isAgain ? 'The agent shows the offer again, with the proof' : 'The agent shows the offer to the node';
  const { answer, ...exchange } = await stage.agent.say({ type: 'CartMandate', body });
  if (answer.allowed) {
    stage.show({ title: `${title}: accepted`, tone: 'good', ...exchange });
    return { value: answer.approvalToken };
  }
  const { approval } = answer;
  if (approval === undefined || isAgain) {
    const link = await decisionOf(stage.agent.did);
    stage.show({ title: `${title}: refused`, tone: 'bad', ...exchange, link });
    return { end: refusedEnd(answer, link) };
  }
  const link = { href: `#/approvals/${approval.id}`, text: 'To the approval' };
  stage.show({ title: `${title}: a person must decide`, tone: 'plain', ...exchange, link });
  const proof = await waitForPerson(stage, approval.id);
  return 'end' in proof ? proof : showCart(stage, { ...body, hpProof: proof.value });
}

/** How long the agent lets one request wait for the decision. */
const WAIT_SECONDS = 15;

async function waitForPerson(stage: PlayStage, id: string): Promise<Outcome<HpProof>> {
  stage.wait(id);
  while (!stage.isOver()) {
    const answered = await stage.agent.rest.getApproval({ id, wait: WAIT_SECONDS });
    if (answered.status === 'pending') continue;
    const link = { href: `#/approvals/${id}`, text: 'To the approval' };
    const isApproved = answered.status === 'approved';
    const title = isApproved ? 'The person approves, and the agent gets the proof' : 'The person does not approve';
    stage.show({ title, tone: isApproved ? 'good' : 'bad', sent: { id, wait: WAIT_SECONDS }, answered, link });
    if (answered.hpProof !== undefined) return { value: answered.hpProof };
    const text = answered.status === 'denied' ? 'Denied. Nothing is bought.' : 'It expired without a decision.';
    return { end: { isAsTold: answered.status === 'denied', text, link } };
  }
  return { end: { isAsTold: false, text: 'The playground has stopped waiting for it.' } };
}

async function pay(
  stage: PlayStage,
  approvalToken: string,
  instrument: string | undefined,
): Promise<Outcome<PaymentOutcome>> {
  const body = { approvalToken, ...(instrument === undefined ? {} : { instrument }) };
  const { answer, ...exchange } = await stage.agent.say({ type: 'PaymentMandate', body });
  if (!('pmVc' in answer)) {
    const link = await decisionOf(stage.agent.did);
    stage.show({ title: 'The agent pays: refused', tone: 'bad', ...exchange, link });
    return { end: refusedEnd(answer, link) };
  }
  const { status, error } = answer.railResponse;
  const mandateId = String(answer.pmVc.credentialSubject.mandateId);
  const isHeld = status === 'requires_capture';
  const title = isHeld ? 'The agent pays: the amount is reserved' : 'The agent pays: the rail refuses';
  stage.show({ title, tone: isHeld ? 'good' : 'bad', ...exchange, link: toPayment(mandateId) });
  return { value: { mandateId, status, error: error?.message } };
}

/** The shop has delivered. */
export async function takeMoney(stage: PlayStage, mandateId: string): Promise<void> {
  const answered = await node.capturePayment({ mandateId });
  const title = 'The shop delivers, and the money is taken';
  stage.show({ title, tone: 'good', sent: { mandateId }, answered, link: toPayment(mandateId) });
}

export function toPayment(mandateId: string): PlayLink {
  return { href: `#/payments/${mandateId}`, text: 'To the payment' };
}

/** The newest one of the agent is that of the refusal. */
async function decisionOf(agentDid: string): Promise<PlayLink> {
  const [newest] = (await node.listDecisions({ agentDid, limit: 1 })).data;
  const text = 'To the decision';
  return newest === undefined ? { href: '#/decisions', text } : { href: `#/decisions/${newest.transactionId}`, text };
}

function refusedEnd({ reasonCodes, details }: Refusal, link: PlayLink): End {
  const messages = reasonCodes.map((code) => details[code]?.message ?? code);
  return { isAsTold: false, text: `Refused. ${messages.join(' ')}`, link };
}
