/** `countersign demo`: three purchases between agents, told so that a person understands them in ten seconds. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { type A2aClient, connect, RpcError } from '../../client/a2a.ts';
import { type Agent, agentOf } from '../../client/agent.ts';
import { readConfig } from '../config.ts';
import { type Node, startNode } from '../node.ts';

const SHOP = 'shop.example';

interface Stage {
  readonly node: Node;
  readonly agent: Agent;
  readonly principal: string;
  readonly a2a: A2aClient;
  rest(method: string, path: string, body?: unknown): Promise<Answer>;
}

type Answer = Record<string, unknown>;

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
  const agent = agentOf(randomBytes(32));
  const rest: Stage['rest'] = async (method, path, body) => {
    const response = await fetch(node.address + path, {
      method,
      headers: { Authorization: `Bearer ${node.newKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await rest('POST', '/ap2/agents', { name: 'Shopping agent', publicKey: agent.publicKey });
  const principal = agentOf(randomBytes(32)).did;
  return { node, agent, principal, a2a: await connect(node.address, agent), rest };
}

async function play(stage: Stage): Promise<void> {
  say(
    pc.bold('An agent goes shopping.'),
    `Its owner's policy: up to 100 USD alone, up to 200 USD with the owner there.`,
  );

  say('', pc.bold('1. Groceries for 42.50 USD'));
  const allowed = await ask(stage, 42.5);
  await buy(stage, allowed, 42.5);

  say('', pc.bold('2. Headphones for 150 USD'));
  const watched = await ask(stage, 150);
  try {
    await validate(stage, watched, 150);
  } catch (error) {
    tell('no', refusal(error));
  }
  const { hpProof } = await stage.rest('POST', '/ap2/demo/hp-proof', {
    agentDid: stage.agent.did,
    freshnessSeconds: 60,
  });
  tell('ok', 'the owner touches the passkey (a demo proof stands in for it here)');
  await buy(stage, watched, 150, hpProof);

  say('', pc.bold('3. A television for 500 USD'));
  try {
    await ask(stage, 500);
  } catch (error) {
    tell('no', refusal(error));
  }

  const verified = await stage.rest('GET', '/ap2/evidence/verify');
  say(
    '',
    `Evidence: ${verified.eventsVerified} chained events, ${verified.valid ? pc.green('valid') : pc.red('BROKEN')}.`,
  );
}

async function ask(stage: Stage, maxAmount: number): Promise<Answer> {
  const intent = await stage.a2a.send({
    type: 'IntentMandate',
    body: {
      agentDid: stage.agent.did,
      principalDid: stage.principal,
      request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } },
    },
  });
  tell('ok', `the policy allows it${intent.hpRequired ? ', if the owner is there' : ''}; the intent is signed`);
  return intent;
}

async function validate(stage: Stage, intent: Answer, amount: number, hpProof?: unknown): Promise<Answer> {
  const offer = { payerDid: stage.principal, domain: SHOP, amount, currency: 'USD' };
  const { cartVc } = await stage.rest('POST', '/ap2/demo/cart', offer);
  const body = { intentVc: intent.intentVc, cartVc, ...(hpProof === undefined ? {} : { hpProof }) };
  return stage.a2a.send({ type: 'CartMandate', body });
}

async function buy(stage: Stage, intent: Answer, amount: number, hpProof?: unknown): Promise<void> {
  const cart = await validate(stage, intent, amount, hpProof);
  tell('ok', `the cart signed by ${SHOP} matches; approved for five minutes`);
  const paid = await stage.a2a.send<{ railResponse: { status: string; paymentIntentId: string } }>({
    type: 'PaymentMandate',
    body: { approvalToken: cart.approvalToken },
  });
  tell('ok', `paid: ${paid.railResponse.paymentIntentId} is ${paid.railResponse.status}`);
}

function refusal(error: unknown): string {
  if (!(error instanceof RpcError) || error.data?.reasonCodes === undefined) throw error;
  return error.data.reasonCodes.map((code) => `${code}: ${error.data?.details?.[code]?.message}`).join(' ');
}

function tell(kind: 'ok' | 'no', text: string): void {
  say(`   ${kind === 'ok' ? pc.green('✓') : pc.red('✗')} ${text}`);
}

function say(...lines: string[]): void {
  for (const line of lines) console.log(line);
}
