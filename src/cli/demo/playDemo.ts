/** `countersign demo`: three purchases between agents, told so that a person understands them in ten seconds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { readConfig } from '../../node/config.ts';
import { type Node, startNode } from '../../node/startNode.ts';
import { colour } from '../output/colour.ts';
import { type DemoPerson, demoPerson } from './demoPerson.ts';

const SHOP = 'shop.example';

interface Stage {
  readonly agent: Agent;
  readonly principal: string;
  readonly a2a: A2aClient;
  readonly rest: Client;
  readonly owner: DemoPerson;
}

type CartVc = Readonly<Record<string, unknown>>;
type Allowed<Result> = Exclude<Result, Refusal>;

export async function playDemo(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const node = await startNode(readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }));
  try {
    await play(await setStage(node));
  } finally {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function setStage(node: Node): Promise<Stage> {
  const agent = makeAgent();
  const rest = countersign({ baseUrl: node.address, credential: { apiKey: node.newKey ?? '' } });
  await rest.registerAgent({ name: 'Shopping agent', publicKey: agent.publicKey });
  const owner = demoPerson(node.address, node.baseUrl);
  await owner.enroll((await rest.createEnrollment({ agentDid: agent.did })).url);
  return { agent, principal: makeAgent().did, a2a: await connect(node.address, agent), rest, owner };
}

async function play(stage: Stage): Promise<void> {
  say(
    colour.bold('An agent goes shopping.'),
    `Its owner's policy: up to 100 USD alone, up to 200 USD with the owner there.`,
  );

  say('', colour.bold('1. Groceries for 42.50 USD'));
  const small = await ask(stage, 42.5);
  if (small.allowed) await buy(stage, small, await offer(stage, 42.5));

  say('', colour.bold('2. Headphones for 150 USD'));
  const watched = await ask(stage, 150);
  if (watched.allowed) {
    const cartVc = await offer(stage, 150);
    const rejected = await validate(stage, watched, cartVc);
    await buy(stage, watched, cartVc, await askOwner(stage, rejected));
  }

  say('', colour.bold('3. A television for 500 USD'));
  await ask(stage, 500);

  const { eventsVerified, valid } = await stage.rest.verifyEvidence();
  say('', `Evidence: ${eventsVerified} chained events, ${valid ? colour.green('valid') : colour.red('BROKEN')}.`);
}

async function ask(stage: Stage, maxAmount: number): Promise<IntentResult> {
  const intent = await stage.a2a.send({
    type: 'IntentMandate',
    body: {
      agentDid: stage.agent.did,
      principalDid: stage.principal,
      request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } },
    },
  });
  if (intent.allowed) {
    tell('ok', `the policy allows it${intent.hpRequired ? ', if the owner is there' : ''}; the intent is signed`);
  } else tellRefusal(intent);
  return intent;
}

/** The agent waits for its owner, who opens the link and touches the passkey; an authenticator in software plays it. */
async function askOwner(stage: Stage, rejected: CartResult): Promise<HpProof | undefined> {
  if (rejected.allowed || rejected.approval === undefined) return undefined;
  const { id, url } = rejected.approval;
  tell('ok', `the owner gets a link: ${url}`);
  const [state] = await Promise.all([stage.rest.getApproval({ id, wait: 30 }), stage.owner.approve(url)]);
  tell('ok', 'one touch of the passkey approves this cart, and no other');
  return state.hpProof;
}

async function offer(stage: Stage, amount: number): Promise<CartVc> {
  const { cartVc } = await stage.rest.demoCart({ payerDid: stage.principal, domain: SHOP, amount, currency: 'USD' });
  return cartVc;
}

async function validate(
  stage: Stage,
  { intentVc }: Allowed<IntentResult>,
  cartVc: CartVc,
  hpProof?: HpProof,
): Promise<CartResult> {
  const cart = await stage.a2a.send({ type: 'CartMandate', body: { intentVc, cartVc, ...(hpProof && { hpProof }) } });
  if (!cart.allowed) tellRefusal(cart);
  return cart;
}

async function buy(stage: Stage, intent: Allowed<IntentResult>, cartVc: CartVc, hpProof?: HpProof): Promise<void> {
  const cart = await validate(stage, intent, cartVc, hpProof);
  if (!cart.allowed) return;
  tell('ok', `the cart signed by ${SHOP} matches; approved for five minutes`);
  const { approvalToken } = cart;
  const paid = await stage.a2a.send({ type: 'PaymentMandate', body: { approvalToken } });
  if ('allowed' in paid) tellRefusal(paid);
  else tell('ok', `paid: ${paid.railResponse.paymentIntentId} is ${paid.railResponse.status}`);
}

function tellRefusal({ reasonCodes, details }: Refusal): void {
  tell('no', reasonCodes.map((code) => `${code}: ${details[code]?.message}`).join(' '));
}

function tell(kind: 'ok' | 'no', text: string): void {
  say(`   ${kind === 'ok' ? colour.green('✓') : colour.red('✗')} ${text}`);
}

function say(...lines: string[]): void {
  for (const line of lines) console.log(line);
}
