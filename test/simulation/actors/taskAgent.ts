/**
 * An agent of standard A2A: it buys in one task or in three, sends messages again, looks at its tasks, withdraws them, passes a person's
 * link on, and leaves tasks alone. The oracle says whether each task ends, and as the books say.
 */
import { type JsonObject, makeCartOfOne } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { chance } from '../machine/chance.ts';
import type { Answered } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { NodeMarket } from './market.ts';
import type { Wanted } from './person.ts';
import { askOfTask, type Speaker, type Spoken, sendTo, speak, type ToldTask, taskIn } from './standardDesk.ts';

export interface TaskMarket extends NodeMarket {
  readonly letters: Wanted[];
}

type Agent = TaskMarket & Speaker;

const TRIES = 4;
const LOOKS = 4;
/** The longest life of an intent, in seconds: an abandoned task ends with it. */
const LONGEST_S = 90;
/** What is the node's turn, or the person's. */
const WAITING: ReadonlySet<string> = new Set(['SUBMITTED', 'WORKING', 'AUTH_REQUIRED']);

export async function buyByTasks(market: TaskMarket): Promise<void> {
  const { desk } = market;
  const agent: Agent = { ...market, dice: chance(`${desk.world.options.seed} tasks of ${desk.owner.name}`) };
  while (agent.isOpen()) {
    await desk.pause(agent.dice.fraction() * agent.pauseMs);
    if (!agent.isOpen()) return;
    if (agent.dice.permille(100)) await makeRoom(agent);
    await (agent.dice.permille(650) ? buyInOne(agent) : buyInThree(agent));
  }
}

async function buyInOne(agent: Agent): Promise<void> {
  const { dice } = agent;
  const { shop, price, input } = wish(agent);
  const begun = await persist(agent, speak(agent, { call: 'issueIntent', input, data: purchase({ intent: input }) }));
  const task = taskIn(begun);
  if (task?.state !== 'INPUT_REQUIRED') return;
  if (dice.permille(60)) return;
  if (dice.permille(60)) return void (await askOfTask(agent, 'Cancel', task.id));
  const cartVc = makeCartOfOne(shop.peer, shop.domain, dice.permille(60) ? price + 1 : price);
  const data = purchase({ cartVc });
  const isRacing = dice.permille(150);
  const messages = (isRacing ? [1, 2] : [1]).map(() =>
    speak(agent, { call: 'purchaseCart', input: { taskId: task.id, cartVc }, data, taskId: task.id }),
  );
  const sent = messages.map((message) => persist(agent, message));
  if (dice.permille(80)) sent.push(askOfTask(agent, 'Cancel', task.id));
  const [told] = await Promise.all(sent);
  await follow(agent, taskIn(told) ?? task, input.principalDid);
}

async function buyInThree(agent: Agent): Promise<void> {
  const { dice } = agent;
  const { shop, price, input } = wish(agent);
  const data = { 'countersign.intent': input };
  const begun = await persist(agent, speak(agent, { call: 'issueIntent', input, data }));
  const intentVc = taskIn(begun)?.data['countersign.intentResult']?.intentVc;
  if (intentVc === undefined) return;
  const cart = { intentVc, cartVc: makeCartOfOne(shop.peer, shop.domain, price) };
  const told = taskIn(
    await persist(agent, speak(agent, { call: 'validateCart', input: cart, data: { 'countersign.cart': cart } })),
  );
  const seen = told && (await follow(agent, told, input.principalDid));
  const approvalToken = seen?.data['countersign.cartResult']?.approvalToken;
  if (approvalToken === undefined) return;
  const payment = { approvalToken };
  // Two messages are two tasks, and one token is one payment.
  const times = dice.permille(150) ? [1, 2] : [1];
  const paid = await Promise.all(
    times.map(() =>
      persist(
        agent,
        speak(agent, { call: 'mandatePayment', input: payment, data: { 'countersign.payment': payment } }),
      ),
    ),
  );
  for (const each of paid) {
    const task = taskIn(each);
    if (task !== undefined) await follow(agent, task, input.principalDid);
  }
}

function wish({ agent, principals, shops, dice, desk }: Agent) {
  const shop = dice.of(shops);
  const price = dice.between(100, 3000) / 100;
  const input = {
    agentDid: agent.did,
    principalDid: dice.of(principals).did,
    request: { maxAmount: price, currency: 'USD', vendorHints: { domain: shop.domain } },
    expiresAt: new Date(desk.world.loop.time + dice.between(10, LONGEST_S) * 1000).toISOString(),
  };
  return { shop, price, input };
}

function purchase(value: JsonObject): JsonObject {
  return { 'countersign.purchase': value };
}

/** Looks at a task until it is over, or it is the agent's turn, or the agent has looked often enough. */
async function follow(agent: Agent, first: ToldTask, principalDid: string): Promise<ToldTask> {
  const { desk, dice, letters, principals } = agent;
  let task = first;
  const approval = task.data['countersign.approval'];
  if (task.state === 'AUTH_REQUIRED' && approval?.url !== undefined) {
    const holder = principalDid === principals[0]?.did ? { principalDid } : { agentDid: agent.agent.did };
    letters.push({ id: approval.id, holder, expiresAt: Date.parse(approval.expiresAt) });
  }
  for (let look = 1; look <= LOOKS && WAITING.has(task.state); look++) {
    await desk.pause(dice.below(2500));
    task = taskIn(await askOfTask(agent, dice.permille(40) ? 'Cancel' : 'Get', task.id)) ?? task;
    if (task.state === 'AUTH_REQUIRED' && approval !== undefined && dice.permille(250))
      await bringProof(agent, task, approval.id);
  }
  return task;
}

/** The proof of the person's touch, where the agent has it before the node goes on. */
async function bringProof(agent: Agent, task: ToldTask, approvalId: string): Promise<void> {
  const route = ['GET', `/ap2/approvals/${approvalId}?wait=5`] as const;
  const told = await agent.desk.rest({ call: 'getApproval', route, input: {}, named: { approvalId } });
  const hpProof = (told?.body as Loose)?.hpProof;
  if (told?.status !== 200 || hpProof === undefined) return;
  const input = { taskId: task.id, hpProof };
  const data = { 'countersign.cart': { hpProof } };
  await persist(agent, speak(agent, { call: 'bringTouch', input, data, taskId: task.id }));
}

/** The same message until there is an answer; now and then once more, or twice at once. */
async function persist(agent: Agent, spoken: Spoken): Promise<Answered | undefined> {
  const { desk, dice } = agent;
  if (dice.permille(100)) {
    const [one, other] = await Promise.all([sendTo(agent, spoken), sendTo(agent, spoken)]);
    if (taskIn(one ?? other) !== undefined) return one ?? other;
  }
  for (let tries = 1; ; tries++) {
    const told = await sendTo(agent, spoken);
    const isOver = told !== undefined && told.status !== 503;
    if (isOver && dice.permille(80)) return (await sendTo(agent, spoken)) ?? told;
    if (isOver || tries === TRIES) return told;
    await desk.pause(dice.below(2000));
  }
}
