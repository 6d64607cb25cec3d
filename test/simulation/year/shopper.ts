/**
 * How an agent of a simulated year buys: nearly each purchase is paid, and what was paid is captured at once or days later, given
 * back, cancelled, or left until the hold ends. Some are given up, need a person, or are worth more than the owner allows.
 */
import { type JsonObject, makeCart } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Answered } from '../actors/desk.ts';
import type { Office, Stall, Worker } from './office.ts';

const CALLS = {
  issueIntent: { type: 'IntentMandate', path: '/ap2/intents' },
  validateCart: { type: 'CartMandate', path: '/ap2/carts/validate' },
  mandatePayment: { type: 'PaymentMandate', path: '/ap2/payments/mandate' },
} as const;

/** Where the owner lets no agent buy, and where some try to. */
export const DENIED_SHOP = 'casino.example';

/** A purchase that has its intent, and perhaps its token. */
export interface Begun {
  readonly worker: Worker;
  readonly stall: Stall;
  readonly intentVc: Loose;
  readonly amount: number;
  readonly needsPerson: boolean;
  token?: string;
}

/** One purchase from its beginning to its end of this day. */
export async function purchase(office: Office, worker: Worker, day: number): Promise<void> {
  const { chance } = worker;
  office.count('purchases begun');
  const begun = await begin(office, worker);
  if (begun === undefined) return;
  // Given up: the intent expires, or the cart's token.
  if (chance.permille(15) || !(await takeCart(office, begun)) || chance.permille(10)) return;
  await payFor(office, begun, day);
}

/** @returns undefined where no intent is given */
export async function begin(office: Office, worker: Worker): Promise<Begun | undefined> {
  const { chance } = worker;
  const stall = chance.of(office.stalls);
  // One in so many needs a person, and one in more is above what even a person may allow.
  const amount = chance.permille(25) ? chance.between(9001, 21_000) / 100 : chance.between(100, 6000) / 100;
  const told = await ask(office, worker, 'issueIntent', {
    agentDid: worker.peer.did,
    principalDid: chance.of(office.principals).did,
    request: {
      maxAmount: amount,
      currency: 'USD',
      vendorHints: { domain: chance.permille(8) ? DENIED_SHOP : stall.domain },
    },
  });
  const intentVc = memberOf(told, 'intentVc');
  if (intentVc === undefined) return undefined;
  return { worker, stall, intentVc, amount, needsPerson: memberOf(told, 'hpRequired') === true };
}

/** @returns whether the cart was validated */
export async function takeCart(office: Office, begun: Begun): Promise<boolean> {
  const { worker, stall, intentVc, amount, needsPerson } = begun;
  const { chance } = worker;
  // Carts cost less than was expected, seldom more.
  const share = chance.permille(8) ? 1.2 : chance.permille(600) ? 1 : 0.3 + 0.7 * chance.fraction();
  const price = Math.max(1, Math.round(amount * share * 100)) / 100;
  const cartVc = makeCart(stall.peer, {
    domain: stall.domain,
    items: [{ name: 'Thing', price, quantity: 1 }],
    total: price,
    currency: 'USD',
  });
  // Where no person is there to approve it, its approval expires.
  const hpProof = needsPerson && chance.permille(600) ? await showPerson(office, worker) : undefined;
  const told = await ask(office, worker, 'validateCart', { intentVc, cartVc, ...(hpProof && { hpProof }) });
  const token = memberOf(told, 'approvalToken');
  if (typeof token === 'string') begun.token = token;
  const approval = memberOf(told, 'approval')?.id;
  if (typeof approval === 'string') office.count('approvals asked for');
  return typeof token === 'string';
}

async function showPerson(office: Office, worker: Worker): Promise<Loose> {
  const told = await office.desk.rest({
    call: 'demoPresenceProof',
    route: ['POST', '/ap2/demo/hp-proof'],
    input: { agentDid: worker.peer.did, freshnessSeconds: 600 },
  });
  return memberOf(told, 'hpProof');
}

/** Pays, and does with the payment what is done on this day. */
export async function payFor(office: Office, { worker, token }: Begun, day: number): Promise<void> {
  if (token === undefined) return;
  const { chance } = worker;
  const again = chance.permille(10);
  const told = await ask(office, worker, 'mandatePayment', { approvalToken: token });
  if (again) await ask(office, worker, 'mandatePayment', { approvalToken: token });
  const paid = memberOf(told, 'pmVc')?.credentialSubject;
  if (paid === undefined) return;
  if (memberOf(told, 'railResponse')?.status === 'failed') return office.count('payments declined');
  office.count('payments authorized');
  const { mandateId } = paid;
  const fate = chance.below(100);
  if (fate < 5) return operate(office, worker, mandateId, 'cancel');
  // The hold ends by itself.
  if (fate < 8) return office.count('payments left alone');
  if (fate < 20) return void office.later.push({ day: day + chance.below(6), mandateId, verb: 'capture' });
  const part = chance.permille(60) ? Math.max(1, Math.floor(paid.amount * 60)) / 100 : undefined;
  await operate(office, worker, mandateId, 'capture', part);
  if (fate >= 94) office.later.push({ day: day + chance.below(25), mandateId, verb: 'refund' });
  else if (fate >= 92) await operate(office, worker, mandateId, 'refund');
}

/** What was left for this day, by the owner: an agent may have been replaced since. */
export async function catchUp(office: Office, day: number): Promise<void> {
  const due = office.later.filter((each) => each.day <= day);
  office.later.splice(0, office.later.length, ...office.later.filter((each) => each.day > day));
  for (const { mandateId, verb } of due) await operate(office, undefined, mandateId, verb);
}

async function operate(
  office: Office,
  worker: Worker | undefined,
  mandateId: string,
  verb: 'capture' | 'cancel' | 'refund',
  amount?: number,
): Promise<void> {
  const desk = worker?.desk ?? office.desk;
  const route = ['POST', `/ap2/payments/${mandateId}/${verb}`] as const;
  const input = amount === undefined ? {} : { amount };
  const told = await desk.rest({ call: `${verb}Payment`, route, input, named: { mandateId } });
  if (told?.status === 200) office.count(`payments: ${verb}`);
}

/** By the gate and the credential of the agent. */
async function ask(
  office: Office,
  worker: Worker,
  call: keyof typeof CALLS,
  input: JsonObject,
): Promise<Answered | undefined> {
  const { type, path } = CALLS[call];
  const { way, desk, chance } = worker;
  if (way === 'message') {
    const message = desk.sign(type, office.nodeDid, input);
    const told = await desk.message(call, message);
    countRefusal(office, told);
    return chance.permille(5) ? desk.message(call, message) : told;
  }
  const key = chance.permille(200) ? { key: `key-${chance.bytes(8).toString('hex')}` } : {};
  const wish = { call, route: ['POST', path] as const, input, ...key };
  const told = await desk.rest(wish);
  countRefusal(office, told);
  return 'key' in key && chance.permille(50) ? desk.rest(wish) : told;
}

function countRefusal(office: Office, told: Answered | undefined): void {
  const codes = memberOf(told, 'reasonCodes');
  if (Array.isArray(codes)) for (const code of codes) office.count(`refused: ${code}`);
}

/** A member of what was answered, in REST as it is, over A2A within the message. */
export function memberOf(told: Answered | undefined, name: string): Loose {
  const body = told?.body;
  if (typeof body !== 'object' || body === null) return undefined;
  return (body.result?.message?.body ?? body.error?.data ?? body)[name];
}
