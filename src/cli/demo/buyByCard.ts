/** A purchase by card, step by step: the intent, the shop's cart, the owner where they are asked, and the payment. */
import {
  type A2aClient,
  type Agent,
  type CartResult,
  type Client,
  connect,
  countersign,
  type HpProof,
  type IntentResult,
  makeAgent,
  type Refusal,
} from '../../../client/index.ts';
import type { Node } from '../../node/startNode.ts';
import { type DemoPerson, demoPerson } from './demoPerson.ts';
import { printRefusal, printStep } from './printSteps.ts';

const SHOP = 'shop.example';

/** Who takes part, each with a way to the node. */
export interface Parties {
  readonly agent: Agent;
  readonly principal: string;
  readonly a2a: A2aClient;
  readonly rest: Client;
  readonly owner: DemoPerson;
}

type CartVc = Readonly<Record<string, unknown>>;
type Allowance<Result> = Exclude<Result, Refusal>;

export async function prepare(node: Node): Promise<Parties> {
  const agent = makeAgent();
  const rest = countersign({ baseUrl: node.address, credential: { apiKey: node.newKey ?? '' } });
  await rest.registerAgent({ name: 'Shopping agent', publicKey: agent.publicKey });
  const owner = demoPerson(node.address, node.baseUrl);
  await owner.enroll((await rest.createEnrollment({ agentDid: agent.did })).url);
  return { agent, principal: makeAgent().did, a2a: await connect(node.address, agent), rest, owner };
}

export async function ask(parties: Parties, maxAmount: number): Promise<IntentResult> {
  const intent = await parties.a2a.send({
    type: 'IntentMandate',
    body: {
      agentDid: parties.agent.did,
      principalDid: parties.principal,
      request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } },
    },
  });
  if (intent.allowed) {
    printStep(
      'ok',
      `the policy allows it${intent.hpRequired ? ', if the owner approves it' : ''}; the intent is signed`,
    );
  } else printRefusal(intent);
  return intent;
}

/** The agent waits while its owner opens the link and approves with a passkey, which is an authenticator in software. */
export async function askOwner(parties: Parties, rejected: CartResult): Promise<HpProof | undefined> {
  if (rejected.allowed || rejected.approval?.url === undefined) return undefined;
  const { id, url } = rejected.approval;
  printStep('ok', `the owner gets a link: ${url}`);
  const [state] = await Promise.all([parties.rest.getApproval({ id, wait: 30 }), parties.owner.approve(url)]);
  printStep('ok', 'the passkey approves this cart, and no other');
  return state.hpProof;
}

export async function offer(parties: Parties, amount: number): Promise<CartVc> {
  const { cartVc } = await parties.rest.demoCart({
    payerDid: parties.principal,
    domain: SHOP,
    amount,
    currency: 'USD',
  });
  return cartVc;
}

export async function validate(
  parties: Parties,
  { intentVc }: Allowance<IntentResult>,
  cartVc: CartVc,
  hpProof?: HpProof,
): Promise<CartResult> {
  const cart = await parties.a2a.send({ type: 'CartMandate', body: { intentVc, cartVc, ...(hpProof && { hpProof }) } });
  if (!cart.allowed) printRefusal(cart);
  return cart;
}

export async function buy(
  parties: Parties,
  intent: Allowance<IntentResult>,
  cartVc: CartVc,
  hpProof?: HpProof,
): Promise<void> {
  const cart = await validate(parties, intent, cartVc, hpProof);
  if (!cart.allowed) return;
  printStep('ok', `the cart signed by ${SHOP} matches; approved for five minutes`);
  const { approvalToken } = cart;
  const paid = await parties.a2a.send({ type: 'PaymentMandate', body: { approvalToken } });
  if ('allowed' in paid) printRefusal(paid);
  else printStep('ok', `paid: ${paid.railResponse.paymentIntentId} is ${paid.railResponse.status}`);
}
