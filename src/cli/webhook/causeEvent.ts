/** `countersign trigger`: a new agent does in a sandbox node what really leads to an event. */
import { makeAgent } from '../../../client/identity.ts';
import type { Operations } from '../../../client/operations.ts';
import type { Client } from '../../../client/rest.ts';
import type { ApprovalLink } from '../../../protocol/approval.ts';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import { demoPerson } from '../demo/demoPerson.ts';
import { print } from '../output/print.ts';
import { DEFAULT_URL, type TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

const SHOP = 'shop.example';
const AMOUNT = 5;
/** An amount for which the sandbox's first policy asks a person. */
const WITH_PERSON = 150;
const CURRENCY = 'USD';
/** How far ahead an intent is to expire, and how long to wait for the node to notice. */
const EXPIRY_MS = 2000;
const SWEEP_MS = 3500;

type Credential = Readonly<Record<string, unknown>>;

/** A purchase by a new agent, as far as it got. */
class Purchase {
  readonly agentDid: string;
  readonly #client: Client;

  constructor(client: Client, agentDid: string) {
    this.#client = client;
    this.agentDid = agentDid;
  }

  async intent(extra: Partial<Operations['issueIntent']['input']> = {}): Promise<Credential> {
    const answer = await this.#issueIntent(extra);
    if (!answer.allowed) throw refused(answer.reasonCodes);
    return answer.intentVc;
  }

  async deniedIntent(): Promise<void> {
    const answer = await this.#issueIntent({});
    if (answer.allowed) throw new Error('The policy allowed an intent that was meant to be denied.');
  }

  async rejectedCart(): Promise<void> {
    await this.#client.validateCart({ intentVc: await this.intent(), cartVc: await this.#cart(AMOUNT + 1) });
  }

  /** @returns the approval token */
  async approvedCart(): Promise<string> {
    const answer = await this.#client.validateCart({ intentVc: await this.intent(), cartVc: await this.#cart(AMOUNT) });
    if (!answer.allowed) throw refused(answer.reasonCodes);
    return answer.approvalToken;
  }

  /** @returns the payment's id */
  async payment(instrument = 'pm_card_visa'): Promise<string> {
    const answer = await this.#client.mandatePayment({ approvalToken: await this.approvedCart(), instrument });
    if (!('pmVc' in answer)) throw refused(answer.reasonCodes);
    return String(answer.pmVc.credentialSubject.mandateId);
  }

  /** @returns the payment's id */
  async capturedPayment(): Promise<string> {
    const mandateId = await this.payment();
    await this.#client.capturePayment({ mandateId });
    return mandateId;
  }

  /** A cart that lacks nothing but a person. @returns the request for their approval */
  async approval(
    extra: Partial<Operations['issueIntent']['input']> = {},
  ): Promise<Pick<ApprovalLink, 'id' | 'url' | 'expiresAt'>> {
    const cartVc = await this.#cart(WITH_PERSON);
    const request = { maxAmount: WITH_PERSON, currency: CURRENCY, vendorHints: { domain: SHOP } };
    const answer = await this.#client.validateCart({ intentVc: await this.intent({ request, ...extra }), cartVc });
    if (!answer.allowed && answer.approval !== undefined) return answer.approval;
    throw new Error(
      `The node's policy does not ask a person about ${WITH_PERSON} ${CURRENCY}, so no approval is requested.`,
    );
  }

  /** The owner enrolls a passkey by link, and approves by link. */
  async approve(): Promise<void> {
    const enrollment = await this.#client.createEnrollment({ agentDid: this.agentDid });
    const publicUrl = enrollment.url.slice(0, enrollment.url.indexOf('/enroll/'));
    const owner = demoPerson(publicUrl, publicUrl);
    await owner.enroll(enrollment.url);
    await owner.approve(String((await this.approval()).url));
  }

  async suspend(): Promise<void> {
    await this.#client.suspendAgent({ did: this.agentDid, reason: 'trigger' });
  }

  async revoke(): Promise<void> {
    await this.#client.revokeAgent({ did: this.agentDid, reason: 'trigger' });
  }

  #issueIntent(extra: Partial<Operations['issueIntent']['input']>) {
    const { agentDid } = this;
    const request = { maxAmount: AMOUNT, currency: CURRENCY, vendorHints: { domain: SHOP } };
    return this.#client.issueIntent({ agentDid, principalDid: agentDid, request, ...extra });
  }

  async #cart(amount: number): Promise<Credential> {
    const offer = { payerDid: this.agentDid, domain: SHOP, amount, currency: CURRENCY };
    return (await this.#client.demoCart(offer)).cartVc;
  }
}

function refused(reasonCodes: readonly string[]): Error {
  return new Error(`The node's policy does not allow a purchase of ${AMOUNT} ${CURRENCY}: ${reasonCodes.join(', ')}.`);
}

type Cause = (purchase: Purchase, client: Client) => Promise<unknown>;

export const CAUSES: Readonly<Partial<Record<WebhookEventType, Cause>>> = {
  'agent.created': async () => {},
  'agent.revoked': (purchase) => purchase.revoke(),
  'agent.suspended': (purchase) => purchase.suspend(),
  'agent.reactivated': async (purchase, client) => {
    await purchase.suspend();
    await client.reactivateAgent({ did: purchase.agentDid });
  },
  'intent.issued': (purchase) => purchase.intent(),
  'intent.denied': async (purchase) => {
    await purchase.revoke();
    await purchase.deniedIntent();
  },
  'intent.expired': async (purchase) => {
    await purchase.intent({ expiresAt: new Date(Date.now() + EXPIRY_MS).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, SWEEP_MS));
  },
  'cart.validated': (purchase) => purchase.approvedCart(),
  'cart.rejected': (purchase) => purchase.rejectedCart(),
  'approval.requested': (purchase) => purchase.approval(),
  'approval.approved': (purchase) => purchase.approve(),
  'approval.denied': async (purchase, client) => client.denyApproval({ id: (await purchase.approval()).id }),
  'approval.expired': async (purchase) => {
    await purchase.approval({ expiresAt: new Date(Date.now() + EXPIRY_MS).toISOString() });
    await new Promise((resolve) => setTimeout(resolve, SWEEP_MS));
  },
  'payment.authorized': (purchase) => purchase.payment(),
  'payment.captured': (purchase) => purchase.capturedPayment(),
  'payment.failed': (purchase) => purchase.payment('pm_card_visa_chargeDeclined'),
  'payment.refunded': async (purchase, client) => client.refundPayment({ mandateId: await purchase.capturedPayment() }),
  'payment.refund_failed': async (purchase, client) => {
    const mandateId = await purchase.capturedPayment();
    await client.refundPayment({ mandateId });
    await client.demoRefundFailure({ mandateId });
  },
  'payment.disputed': async (purchase, client) => client.demoDispute({ mandateId: await purchase.capturedPayment() }),
  'payment.dispute_closed': async (purchase, client) => {
    const mandateId = await purchase.capturedPayment();
    await client.demoDispute({ mandateId });
    await client.demoDisputeEnd({ mandateId, outcome: 'won' });
  },
  'policy.updated': async (_purchase, client) => {
    const { id, name } = await client.currentPolicy();
    await client.updatePolicy({ id, name });
  },
  'policy.violation': async (purchase, client) => {
    await client.setAgentVelocity({ did: purchase.agentDid, maxTransactions: 1, timeWindow: '1h' });
    await purchase.intent();
    await purchase.deniedIntent();
  },
};

/** @returns the DID of the agent that was made for it @throws Error for an event that has no cause here */
export async function causeEvent(client: Client, event: WebhookEventType): Promise<string> {
  const cause = CAUSES[event];
  if (cause === undefined) {
    throw new Error(
      `Nothing here causes ${event}. A sample of it is sent by: countersign webhook test ID --event ${event}.`,
    );
  }
  const { publicKey, did } = makeAgent();
  // Exists in the sandbox only, so that nothing is caused anywhere else.
  await client.demoCart({ payerDid: did, domain: SHOP, amount: AMOUNT, currency: CURRENCY });
  await client.registerAgent({ name: 'Trigger', publicKey });
  await cause(new Purchase(client, did), client);
  return did;
}

export function trigger(env: NodeJS.ProcessEnv, event: WebhookEventType, options: TargetOptions): Promise<void> {
  const needs = { defaultUrl: DEFAULT_URL };
  const cause = async ({ client }: { readonly client: Client }) => {
    const agentDid = await causeEvent(client, event);
    print(options, { event, agentDid }, `${event} was caused, by the agent ${agentDid}.`);
  };
  return withTarget(env, options, cause, needs);
}
