/**
 * An agent that says the same at several gates at once, under one key and message id: REST, the node's own A2A, standard A2A and MCP.
 * A token buys once, wherever it is brought.
 */
import { type JsonObject, makeCartOfOne } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { Answered } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { NodeMarket } from './market.ts';
import { sendTo, speak, taskIn } from './standardDesk.ts';
import { callTool } from './toolDesk.ts';

interface Agent extends NodeMarket {
  readonly dice: Chance;
}

type Call = 'issueIntent' | 'validateCart' | 'mandatePayment';
type Gate = (agent: Agent, call: Call, input: JsonObject, key: string) => Promise<Loose>;

const PATHS = { issueIntent: 'intents', validateCart: 'carts/validate', mandatePayment: 'payments/mandate' } as const;
const TYPES = { issueIntent: 'IntentMandate', validateCart: 'CartMandate', mandatePayment: 'PaymentMandate' } as const;
const PARTS = { issueIntent: 'intent', validateCart: 'cart', mandatePayment: 'payment' } as const;
const TOOLS = { issueIntent: 'request_intent', validateCart: 'validate_cart', mandatePayment: 'pay' } as const;

/** Each gives what was answered as REST has it; undefined where nothing was. */
const GATES: readonly Gate[] = [
  async function rest({ desk }, call, input, key) {
    // Told without the key, which holds at this gate alone.
    const asked = { call, route: ['POST', `/ap2/${PATHS[call]}`] as const, input: { ...input, idempotencyKey: key } };
    return (await desk.rest(asked))?.body;
  },
  async function message({ desk, nodeDid }, call, input, key) {
    const told = await desk.message(call, desk.sign(TYPES[call], nodeDid, input, key));
    return told?.body?.result?.message?.body;
  },
  async function task(agent, call, input, key) {
    const spoken = speak(agent, { call, input, data: { [`countersign.${PARTS[call]}`]: input }, id: key });
    const data = taskIn(await sendTo(agent, spoken))?.data;
    return data?.[`countersign.${PARTS[call]}Result`] ?? data?.['countersign.refusal'];
  },
  async function tool({ desk }, call, input, key) {
    const given = { ...givenTo(call, input), idempotencyKey: key };
    const told: Answered | undefined = await callTool(desk, { tool: TOOLS[call], given, call, input });
    return told?.body?.result?.structuredContent;
  },
];

export async function buyAtSeveralGates(market: NodeMarket): Promise<void> {
  const { desk } = market;
  const agent: Agent = { ...market, dice: chance(`${desk.world.options.seed} gates of ${desk.owner.name}`) };
  while (agent.isOpen()) {
    await desk.pause(agent.dice.fraction() * agent.pauseMs);
    if (!agent.isOpen()) return;
    if (agent.dice.permille(100)) await makeRoom(agent);
    await buyOnce(agent);
  }
}

async function buyOnce(agent: Agent): Promise<void> {
  const { desk, dice, principals, shops } = agent;
  const shop = dice.of(shops);
  const price = dice.between(100, 3000) / 100;
  const principalDid = dice.of(principals).did;
  const request = { maxAmount: price, currency: 'USD', vendorHints: { domain: shop.domain } };
  // A task that waits for a person who is never asked ends with its intent.
  const expiresAt = new Date(desk.world.loop.time + 60_000).toISOString();
  const input = { agentDid: agent.agent.did, principalDid, request, expiresAt };
  const intents = await askSome(agent, 'issueIntent', input, 1);
  const intentVc = intents.flatMap((told) => told?.intentVc ?? [])[0];
  if (intentVc === undefined) return;
  const cart = { intentVc, cartVc: makeCartOfOne(shop.peer, shop.domain, price) };
  const carts = await askSome(agent, 'validateCart', cart, dice.permille(700) ? 1 : 2);
  const tokens = carts.flatMap((told): string[] => told?.approvalToken ?? []);
  await Promise.all(
    tokens.map((approvalToken) => askSome(agent, 'mandatePayment', { approvalToken }, dice.between(2, GATES.length))),
  );
}

/** So many gates are asked at once, under one key; where none answers, another one is. */
async function askSome(agent: Agent, call: Call, input: JsonObject, count: number): Promise<Loose[]> {
  const { dice, desk } = agent;
  const key = `gates-${dice.bytes(8).toString('hex')}`;
  const first = dice.below(GATES.length);
  const at = (place: number) => GATES[(first + place) % GATES.length] as Gate;
  const told = await Promise.all(Array.from({ length: count }, (_, place) => at(place)(agent, call, input, key)));
  if (told.some((each) => each !== undefined) || dice.permille(200)) return told;
  await desk.pause(dice.below(2000));
  return [await at(count)(agent, call, input, key)];
}

function givenTo(call: Call, input: Loose): JsonObject {
  if (call === 'mandatePayment') return input;
  if (call === 'validateCart') {
    return { intentId: input.intentVc.credentialSubject.mandateId, cartVc: input.cartVc };
  }
  const { maxAmount, currency, vendorHints } = input.request;
  const { principalDid, expiresAt } = input;
  return { maxAmount, currency, merchantDomain: vendorHints.domain, principalDid, expiresAt };
}
