/** `countersign demo`: three purchases between agents, step by step: allowed, approved by the owner, and refused. */
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
import { readConfig } from '../../node/config/config.ts';
import { type Node, startNode } from '../../node/startNode.ts';
import { colour } from '../output/print.ts';
import { type DemoPerson, demoPerson } from './demoPerson.ts';

const SHOP = 'shop.example';

/** Who takes part, each with a way to the node. */
interface Parties {
  readonly agent: Agent;
  readonly principal: string;
  readonly a2a: A2aClient;
  readonly rest: Client;
  readonly owner: DemoPerson;
}

type CartVc = Readonly<Record<string, unknown>>;
type Allowance<Result> = Exclude<Result, Refusal>;

export async function runDemo(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const node = await startNode(readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }));
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= node.stop().finally(() => rm(dataDir, { recursive: true, force: true }));
    return ended;
  };
  // The purchase under way would only tell that its node is gone.
  const stop = () => void end().finally(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  try {
    await showPurchases(await prepare(node));
  } finally {
    await end();
  }
}

async function prepare(node: Node): Promise<Parties> {
  const agent = makeAgent();
  const rest = countersign({ baseUrl: node.address, credential: { apiKey: node.newKey ?? '' } });
  await rest.registerAgent({ name: 'Shopping agent', publicKey: agent.publicKey });
  const owner = demoPerson(node.address, node.baseUrl);
  await owner.enroll((await rest.createEnrollment({ agentDid: agent.did })).url);
  return { agent, principal: makeAgent().did, a2a: await connect(node.address, agent), rest, owner };
}

async function showPurchases(parties: Parties): Promise<void> {
  printLines(
    colour.bold('An agent goes shopping.'),
    `Its owner's policy: up to 100 USD alone, up to 200 USD with the owner's approval.`,
  );

  printLines('', colour.bold('1. Groceries for 42.50 USD'));
  const small = await ask(parties, 42.5);
  if (small.allowed) await buy(parties, small, await offer(parties, 42.5));

  printLines('', colour.bold('2. Headphones for 150 USD'));
  const large = await ask(parties, 150);
  if (large.allowed) {
    const cartVc = await offer(parties, 150);
    const rejected = await validate(parties, large, cartVc);
    await buy(parties, large, cartVc, await askOwner(parties, rejected));
  }

  printLines('', colour.bold('3. A television for 500 USD'));
  await ask(parties, 500);

  const { eventsVerified, valid } = await parties.rest.verifyEvidence();
  printLines(
    '',
    `Evidence: ${eventsVerified} chained events, ${valid ? colour.green('valid') : colour.red('BROKEN')}.`,
  );
}

async function ask(parties: Parties, maxAmount: number): Promise<IntentResult> {
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
async function askOwner(parties: Parties, rejected: CartResult): Promise<HpProof | undefined> {
  if (rejected.allowed || rejected.approval?.url === undefined) return undefined;
  const { id, url } = rejected.approval;
  printStep('ok', `the owner gets a link: ${url}`);
  const [state] = await Promise.all([parties.rest.getApproval({ id, wait: 30 }), parties.owner.approve(url)]);
  printStep('ok', 'the passkey approves this cart, and no other');
  return state.hpProof;
}

async function offer(parties: Parties, amount: number): Promise<CartVc> {
  const { cartVc } = await parties.rest.demoCart({
    payerDid: parties.principal,
    domain: SHOP,
    amount,
    currency: 'USD',
  });
  return cartVc;
}

async function validate(
  parties: Parties,
  { intentVc }: Allowance<IntentResult>,
  cartVc: CartVc,
  hpProof?: HpProof,
): Promise<CartResult> {
  const cart = await parties.a2a.send({ type: 'CartMandate', body: { intentVc, cartVc, ...(hpProof && { hpProof }) } });
  if (!cart.allowed) printRefusal(cart);
  return cart;
}

async function buy(
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

function printRefusal({ reasonCodes, details }: Refusal): void {
  printStep('no', reasonCodes.map((code) => `${code}: ${details[code]?.message}`).join(' '));
}

function printStep(kind: 'ok' | 'no', text: string): void {
  printLines(`   ${kind === 'ok' ? colour.green('✓') : colour.red('✗')} ${text}`);
}

function printLines(...lines: string[]): void {
  for (const line of lines) console.log(line);
}
