/**
 * An agent that buys over sockets: many messages on one connection, which it loses or breaks while they are under way; what got no answer
 * it sends again under the same id, on another connection, of another node, or over HTTP.
 */
import { type JsonObject, makeCartOfOne, makeDidProof } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { SocketLine } from '../machine/socketLine.ts';
import { BASE_URL } from '../world.ts';
import type { Answered } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { NodeMarket } from './market.ts';

interface Agent extends NodeMarket {
  readonly dice: Chance;
  /** The connection that it uses at present, of the node at a place. */
  line?: { readonly socket: SocketLine; readonly place: number };
}

const GATE = '/a2a/gateway';
const TRIES = 5;
/** So many purchases at once on one connection. */
const MOST_AT_ONCE = 3;

export async function buyOverSockets(market: NodeMarket): Promise<void> {
  const { desk } = market;
  const agent: Agent = { ...market, dice: chance(`${desk.world.options.seed} sockets of ${desk.owner.name}`) };
  while (agent.isOpen()) {
    await desk.pause(agent.dice.fraction() * 3 * agent.pauseMs);
    if (!agent.isOpen()) break;
    if (agent.dice.permille(100)) await makeRoom(agent);
    const purchases = Array.from({ length: agent.dice.between(1, MOST_AT_ONCE) }, () => buyOnce(agent));
    await Promise.all(purchases);
  }
  agent.line?.socket.cut();
}

async function buyOnce(agent: Agent): Promise<void> {
  const { dice, principals, shops } = agent;
  const shop = dice.of(shops);
  const price = dice.between(100, 3000) / 100;
  const request = { maxAmount: price, currency: 'USD', vendorHints: { domain: shop.domain } };
  const input = { agentDid: agent.agent.did, principalDid: dice.of(principals).did, request };
  const intentVc = partOf(await say(agent, 'IntentMandate', 'issueIntent', input), 'intentVc');
  if (intentVc === undefined) return;
  const cart = { intentVc, cartVc: makeCartOfOne(shop.peer, shop.domain, price) };
  const approvalToken = partOf(await say(agent, 'CartMandate', 'validateCart', cart), 'approvalToken');
  if (approvalToken !== undefined) await say(agent, 'PaymentMandate', 'mandatePayment', { approvalToken });
}

/** One message, until there is an answer to it. */
async function say(agent: Agent, type: string, call: string, input: JsonObject): Promise<Answered | undefined> {
  const { desk, dice, nodeDid } = agent;
  const message = desk.sign(type, nodeDid, input);
  for (let tries = 1; tries <= TRIES; tries++) {
    const told = dice.permille(tries === 1 ? 0 : 300)
      ? await desk.message(call, message)
      : await send(agent, call, message);
    if (told !== undefined && told.status < 500) return told;
    await desk.pause(dice.below(2000));
  }
  return undefined;
}

/** The message as a frame; now and then the connection breaks at once, or a little later. */
async function send(agent: Agent, call: string, message: JsonObject): Promise<Answered | undefined> {
  const { desk, dice, agent: peer } = agent;
  const { socket, place } = lineOf(agent);
  const id = String(message['id']);
  const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'a2a/message', params: { message } });
  const asked = { by: desk.owner.name, did: peer.did, place, call, input: message['body'], key: id };
  const told = desk.world.askBy(asked, () => socket.ask(id, text));
  if (dice.permille(60)) {
    await desk.pause(dice.fraction() * 12);
    socket.cut();
  }
  return (await told) as Answered | undefined;
}

/** The connection, or a new one of any node; half of them are proven by the upgrade too. */
function lineOf(agent: Agent): NonNullable<Agent['line']> {
  const { desk, dice, agent: peer } = agent;
  if (agent.line !== undefined && !agent.line.socket.isOver) return agent.line;
  const { world, owner } = desk;
  const place = world.chance.below(world.options.nodes);
  const proof = () => makeDidProof(peer, { baseUrl: BASE_URL, method: 'GET', path: GATE, body: '' });
  const headers = dice.permille(500) ? { 'X-DID-Proof': proof() } : {};
  const { network, loop } = world;
  const socket = new SocketLine({ network, loop, owner, chance: dice, place, path: GATE, headers });
  agent.line = { socket, place };
  return agent.line;
}

function partOf(told: Answered | undefined, name: string): Loose {
  return told?.body?.result?.message?.body?.[name];
}
