/**
 * A model that buys by a node's tools: it asks, has carts checked, waits for its person, pays, calls again what got no answer, and looks
 * at what became of it.
 */
import { type JsonObject, makeCartOfOne } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { Answered } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { Market } from './market.ts';
import type { Wanted } from './person.ts';
import { callTool, type ToolCall } from './toolDesk.ts';

export interface Host extends Market {
  readonly letters: Wanted[];
}

interface Model extends Host {
  readonly dice: Chance;
}

interface Bought {
  readonly intentVc: Loose;
  readonly intentId: string;
  readonly principalDid: string;
  readonly cartVc: JsonObject;
}

const TRIES = 4;
/** How often a host comes back while its person decides. */
const ROUNDS = 4;

export async function buyByTools(host: Host): Promise<void> {
  const { desk } = host;
  const model: Model = { ...host, dice: chance(`${desk.world.options.seed} tools of ${desk.owner.name}`) };
  while (model.isOpen()) {
    await desk.pause(model.dice.fraction() * model.pauseMs);
    if (!model.isOpen()) return;
    if (model.dice.permille(100)) await makeRoom(model);
    await buyOnce(model);
  }
}

async function buyOnce(model: Model): Promise<void> {
  const { dice } = model;
  const bought = await intend(model);
  if (bought === undefined) return;
  const approvalToken = await haveChecked(model, bought);
  if (approvalToken === undefined) return;
  const payment = { approvalToken };
  const key = keyOf(dice);
  const told = await persist(model, {
    tool: 'pay',
    given: { ...payment, idempotencyKey: key },
    call: 'mandatePayment',
    input: payment,
    key,
  });
  const mandateId = contentOf(told)?.mandateId;
  if (typeof mandateId === 'string' && dice.permille(300)) {
    await callTool(model.desk, { tool: 'check_status', given: { id: mandateId }, call: 'showRecord', input: {} });
  }
}

async function intend(model: Model): Promise<Bought | undefined> {
  const { agent, principals, shops, dice } = model;
  const shop = dice.of(shops);
  const maxAmount = dice.between(100, 3000) / 100;
  const principalDid = dice.of(principals).did;
  const key = keyOf(dice);
  const request = { maxAmount, currency: 'USD', vendorHints: { domain: shop.domain } };
  const input = { agentDid: agent.did, principalDid, request };
  const given = { maxAmount, currency: 'USD', merchantDomain: shop.domain, principalDid, idempotencyKey: key };
  const told = contentOf(await persist(model, { tool: 'request_intent', given, call: 'issueIntent', input, key }));
  if (told?.intentVc === undefined) return undefined;
  const { intentVc, intentId } = told;
  return { intentVc, intentId, principalDid, cartVc: makeCartOfOne(shop.peer, shop.domain, maxAmount) };
}

/** @returns the approval token, where the cart may be paid */
async function haveChecked(model: Model, bought: Bought): Promise<string | undefined> {
  const { dice } = model;
  const { intentVc, intentId, cartVc } = bought;
  const key = keyOf(dice);
  const opensPages = dice.permille(500);
  const called = {
    tool: 'validate_cart',
    given: { intentId, cartVc, idempotencyKey: key },
    call: 'validateCart',
    input: { intentVc, cartVc },
    opensPages,
  };
  const told = contentOf(await persist(model, { ...called, key }));
  if (told?.approvalToken !== undefined) return told.approvalToken;
  if (told?.resultType === 'input_required') return afterPage(model, bought, called, told);
  if (told?.approval?.url === undefined) return undefined;
  passOn(model, bought, told.approval.url, told.approval.expiresAt);
  const hpProof = await waitForPerson(model, told.approval.id);
  if (hpProof === undefined) return undefined;
  const again = { ...called, given: { intentId, cartVc, hpProof }, input: { intentVc, cartVc, hpProof } };
  return contentOf(await callTool(model.desk, again))?.approvalToken;
}

/** The host opens the person's page, and comes back with what was sealed for it. */
async function afterPage(model: Model, bought: Bought, called: ToolCall, first: Loose): Promise<string | undefined> {
  const { desk, dice } = model;
  let told = first;
  const ends = new Date(desk.world.loop.time + 60_000).toISOString();
  passOn(model, bought, told.inputRequests.touch.params.url, ends);
  for (let round = 1; round <= ROUNDS && told?.resultType === 'input_required'; round++) {
    await desk.pause(dice.below(2000));
    const action = dice.permille(100) ? 'decline' : 'accept';
    const returned = { requestState: told.requestState, inputResponses: { touch: { action } } };
    told = contentOf(await callTool(desk, { ...called, returned })) ?? told;
  }
  return told?.approvalToken;
}

async function waitForPerson({ desk, dice }: Model, approvalId: string): Promise<JsonObject | undefined> {
  for (let round = 1; round <= ROUNDS; round++) {
    const given = { approvalId, waitSeconds: dice.of([0, 2, 5]) };
    const input = { approvalId };
    const told = contentOf(await callTool(desk, { tool: 'wait_for_approval', given, call: 'getApproval', input }));
    if (told?.hpProof !== undefined) return told.hpProof;
    if (told !== undefined && told.status !== 'pending') return undefined;
    await desk.pause(dice.below(2000));
  }
  return undefined;
}

function passOn({ letters, principals, agent }: Model, { principalDid }: Bought, url: string, ends: string): void {
  const holder = principalDid === principals[0]?.did ? { principalDid } : { agentDid: agent.did };
  letters.push({ id: String(url.split('/').at(-1)), holder, expiresAt: Date.parse(ends) });
}

/** Under one key, until there is an answer; now and then twice at once, or once more. */
async function persist(model: Model, called: ToolCall): Promise<Answered | undefined> {
  const { desk, dice } = model;
  const ask = () => callTool(desk, { ...called, isFormer: dice.permille(300) });
  if (dice.permille(80)) await Promise.all([ask(), ask()]);
  for (let tries = 1; ; tries++) {
    const told = await ask();
    const isOver = told !== undefined && told.status < 500 && !contentOf(told)?.isUnavailable;
    if (isOver || tries === TRIES) return told;
    await desk.pause(dice.below(2000));
  }
}

/** What a tool gave; undefined where nothing came, or the call was wrong. */
function contentOf(told: Answered | undefined): Loose {
  const result = told?.body?.result;
  if (result?.resultType === 'input_required') return result;
  if (result?.isError === true) {
    const text = String(result.content?.[0]?.text);
    return text.startsWith('UNAVAILABLE') ? { isUnavailable: true } : undefined;
  }
  return result?.structuredContent;
}

function keyOf(dice: Chance): string {
  return `tool-${dice.bytes(6).toString('hex')}`;
}
