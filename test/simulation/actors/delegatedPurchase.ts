/** What an agent does by open mandates that are registered: its intents name them, and its owner revokes one now and then. */
import { type JsonObject, makeCart } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Chance } from '../machine/chance.ts';
import type { Desk } from './desk.ts';
import { formsFor, type Market } from './market.ts';

/** An open mandate, and the id of its delegation. */
export interface Registered {
  readonly open: string;
  readonly id: string;
}

export async function register({ agent, principals }: Market, owner: Desk, open: string): Promise<Registered> {
  const told = await owner.surely({
    call: 'registerDelegation',
    route: ['POST', '/ap2/delegations'],
    input: { token: open, agentDid: agent.did, principalDid: String(principals[0]?.did) },
  });
  return { open, id: String(told.body.id) };
}

export function revoke(owner: Desk, id: string) {
  return owner.rest({
    call: 'revokeDelegation',
    route: ['POST', `/ap2/delegations/${id}/revoke`],
    input: {},
    named: { id },
  });
}

/** Asks for an amount, has a cart of less approved, and at times another one of all of it, and pays. */
export async function buyByDelegation(market: Market, dice: Chance, delegationId: string): Promise<void> {
  const { desk, agent, principals } = market;
  const maxAmount = dice.between(2, 20);
  const request = { maxAmount, currency: 'USD' };
  const parties = { agentDid: agent.did, principalDid: String(principals[0]?.did) };
  const asked = { ...parties, delegationId, request, ...formsFor(maxAmount) };
  const told = await desk.rest({ call: 'issueIntent', route: ['POST', '/ap2/intents'], input: asked });
  const intentVc = told?.body.intentVc as Loose;
  if (intentVc === undefined) return;
  const carts = dice.permille(300) ? [maxAmount / 2, maxAmount] : [dice.of([maxAmount / 2, maxAmount])];
  let token: string | undefined;
  for (const total of carts) {
    await desk.pause(dice.fraction() * market.pauseMs);
    const cartVc = cartOf(market, total);
    const route = ['POST', '/ap2/carts/validate'] as const;
    token =
      (await desk.rest({ call: 'validateCart', route, input: { intentVc, cartVc } }))?.body.approvalToken ?? token;
  }
  if (token === undefined || dice.permille(300)) return;
  const input = { approvalToken: token };
  await desk.rest({ call: 'mandatePayment', route: ['POST', '/ap2/payments/mandate'], input });
}

function cartOf({ shops: [shop] }: Market, total: number): JsonObject {
  const items = [{ name: 'Thing', price: total, quantity: 1 }];
  return makeCart((shop as Market['shops'][number]).peer, {
    domain: String(shop?.domain),
    items,
    total,
    currency: 'USD',
  });
}
