/** `countersign trigger`: has a sandbox node do what really causes an event, with an agent made for it. */
import { Argument, Command } from 'commander';
import { makeAgent } from '../../../client/identity.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../protocol/webhook/event.ts';
import type { Ask } from '../target/reach.ts';
import { nodeOf } from './listenCommand.ts';

const SHOP = 'shop.example';
const AMOUNT = 5;
/** How far ahead an intent is to expire, and how long to wait for it. */
const EXPIRY_MS = 1000;
const SWEEP_MS = 2500;

type Answer = Record<string, unknown>;

/** A purchase by a new agent, as far as it got. */
interface Story {
  readonly agentDid: string;
  post(path: string, body?: object): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

const CAUSES: Readonly<Record<WebhookEventType, (story: Story) => Promise<unknown>>> = {
  'agent.created': async () => {},
  'agent.revoked': revoke,
  'intent.issued': (story) => intent(story),
  'intent.denied': async (story) => {
    await revoke(story);
    await intent(story, {}, false);
  },
  'intent.expired': async (story) => {
    await intent(story, { expiresAt: new Date(Date.now() + EXPIRY_MS).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, SWEEP_MS));
  },
  'cart.validated': (story) => approve(story),
  'cart.rejected': async (story) => {
    const { intentVc } = await intent(story);
    await story.post('/ap2/carts/validate', { intentVc, cartVc: await cart(story, AMOUNT + 1) });
  },
  'payment.authorized': (story) => pay(story),
  'payment.captured': capture,
  'payment.failed': (story) => pay(story, 'pm_card_visa_chargeDeclined'),
  'payment.refunded': async (story) => story.post(`/ap2/payments/${await capture(story)}/refund`),
  'payment.disputed': async (story) => story.post('/ap2/demo/dispute', { mandateId: await capture(story) }),
  'policy.updated': async (story) => {
    const { id, name } = await story.get('/ap2/policies/current');
    return story.put(`/ap2/admin/policies/${id}`, { name });
  },
  'policy.violation': async (story) => {
    const limit = { maxTransactions: 1, timeWindow: '1h' };
    await story.put(`/ap2/admin/agents/${story.agentDid}/velocity`, limit);
    await intent(story);
    await intent(story, {}, false);
  },
};

export function triggerCommand(env: NodeJS.ProcessEnv): Command {
  return new Command('trigger')
    .description('Cause an event in a sandbox node, by what really causes it.')
    .addArgument(new Argument('<event>', 'which one').choices(WEBHOOK_EVENTS))
    .option('--url <address>', 'the node (COUNTERSIGN_URL)')
    .option('--key <key>', 'a key of that node with all permissions (COUNTERSIGN_API_KEY)')
    .action(async (event: WebhookEventType, options: { url?: string; key?: string }) => {
      const agentDid = await trigger(nodeOf(env, options), event);
      console.log(`${event} was caused, by the agent ${agentDid}.`);
    });
}

/** @returns the agent that was made for it */
export async function trigger(ask: Ask, event: WebhookEventType): Promise<string> {
  const { publicKey, did } = makeAgent();
  // Exists in the sandbox only, so that nothing is caused anywhere else.
  await ask('POST', '/ap2/demo/cart', { payerDid: did, domain: SHOP, amount: AMOUNT, currency: 'USD' });
  const story: Story = {
    agentDid: did,
    post: async (path, body) => (await ask('POST', path, body)) as Answer,
    put: async (path, body) => (await ask('PUT', path, body)) as Answer,
    get: async (path) => (await ask('GET', path)) as Answer,
  };
  await story.post('/ap2/agents', { name: 'Trigger', publicKey });
  await CAUSES[event](story);
  return did;
}

async function intent(story: Story, extra: object = {}, allowed = true): Promise<Answer> {
  const { agentDid } = story;
  const request = { maxAmount: AMOUNT, currency: 'USD', vendorHints: { domain: SHOP } };
  const answer = await story.post('/ap2/intents', { agentDid, principalDid: agentDid, request, ...extra });
  if (answer.allowed !== allowed) throw new Error(`The policy did not play along: ${JSON.stringify(answer)}`);
  return answer;
}

async function cart(story: Story, amount: number): Promise<unknown> {
  const offer = { payerDid: story.agentDid, domain: SHOP, amount, currency: 'USD' };
  return (await story.post('/ap2/demo/cart', offer)).cartVc;
}

async function approve(story: Story): Promise<Answer> {
  const { intentVc } = await intent(story);
  const answer = await story.post('/ap2/carts/validate', { intentVc, cartVc: await cart(story, AMOUNT) });
  if (answer.allowed !== true) throw new Error(`The policy did not play along: ${JSON.stringify(answer)}`);
  return answer;
}

/** @returns the payment's id */
async function pay(story: Story, instrument = 'pm_card_visa'): Promise<string> {
  const { approvalToken } = await approve(story);
  const answer = await story.post('/ap2/payments/mandate', { approvalToken, instrument });
  const { credentialSubject } = answer.pmVc as { credentialSubject: { mandateId: string } };
  return credentialSubject.mandateId;
}

async function capture(story: Story): Promise<string> {
  const mandateId = await pay(story);
  await story.post(`/ap2/payments/${mandateId}/capture`);
  return mandateId;
}

async function revoke(story: Story): Promise<void> {
  await story.post(`/ap2/admin/agents/${story.agentDid}/revoke`, { reason: 'trigger' });
}
