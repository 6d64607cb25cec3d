/** Each type of evidence has a cause of its own here, which records it once. A type without a case does not compile. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EVIDENCE_TYPES, type EvidenceType } from '../../../protocol/evidence/eventTypes.ts';
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import type { DisputeStatus } from '../../../protocol/payment.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { callerOf } from '../../../src/core/callerOf.ts';
import { openLogin } from '../../../src/domain/access/startLogin.ts';
import { adoptRotations } from '../../../src/domain/operator/rotateIssuer.ts';
import { handleRailEvent } from '../../../src/domain/railEvents/handleRailEvent.ts';
import { allOperations } from '../../../src/extensions/nodeOperations.ts';
import { type SentMessage, sendTask } from '../../../src/extensions/standard-a2a/tasks/sendTask.ts';
import { expireTokens } from '../../../src/extensions/stripe/tokens/expireTokens.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import { beginAcceptance, completeAcceptance } from '../../../src/operations/people/acceptInvitation.ts';
import type { RailNotice } from '../../../src/rails/notice.ts';
import type { RailSnapshot } from '../../../src/rails/rail.ts';
import { nodeCaller } from '../../../src/usecase/nodeCaller.ts';
import { call, type UseCase } from '../../../src/usecase/useCase.ts';
import { escalateApprovals } from '../../../src/workers/escalateApprovals.ts';
import { expireApprovals } from '../../../src/workers/expireApprovals.ts';
import { warnOfHolds } from '../../../src/workers/expireHolds.ts';
import { expireIntents } from '../../../src/workers/expireIntents.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type ClosedOptions, MandateParties } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import { makeP256 } from '../../support/p256.ts';
import { ucpBusiness } from '../../support/ucpBusiness.ts';
import type { Loose } from '../../support/world.ts';

const SHOP = 'shop.example';
const DAY_MS = 24 * 3600 * 1000;
const MERCHANT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';

/** What cases do, on a node with one agent. */
class Stage {
  readonly node: MemoryNode;
  readonly agentDid: string;
  readonly #phone: ReturnType<typeof softAuthenticator>;

  constructor(node: MemoryNode, agentDid: string) {
    this.node = node;
    this.agentDid = agentDid;
    this.#phone = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));
  }

  run(...args: Parameters<MemoryNode['run']>): Promise<Loose> {
    return this.node.run(...args);
  }

  intent(maxAmount = 10): Promise<Loose> {
    const { agentDid } = this;
    const request = { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } };
    return this.run('issueIntent', { agentDid, principalDid: agentDid, request });
  }

  /** An intent in a message of standard A2A. */
  task(more: Pick<SentMessage, 'attached'>): Promise<Loose> {
    const { deps, owner } = this.node;
    const { agentDid } = this;
    const input = { agentDid, principalDid: agentDid, request: { maxAmount: 10, currency: 'USD' } };
    const reused = { code: 'MESSAGE_REUSED', message: 'reused' } as const;
    const key = { tenantId: owner.tenantId, scope: 'task', key: 'm-1', hash: 'm-1', reused, secret: false };
    const exchange = { kind: 'intent', input } as const;
    return sendTask(deps, owner, key, { message: {}, exchange, returnImmediately: false, ...more });
  }

  async cart(amount = 10, maxAmount = amount): Promise<Loose> {
    const { intentVc } = await this.intent(maxAmount);
    const { cartVc } = await this.run('demoCart', { payerDid: this.agentDid, domain: SHOP, amount, currency: 'USD' });
    return this.run('validateCart', { intentVc, cartVc });
  }

  /** @returns the payment, captured when asked for */
  async paid(captured = false): Promise<Loose> {
    const mandateId = await this.node.pay(this.agentDid, 10);
    if (captured) await this.run('capturePayment', { mandateId });
    return this.run('getPayment', { mandateId });
  }

  /** A user who has just made a passkey, by which the touch is answered. */
  async grace(): Promise<{ readonly caller: Caller; readonly phone: ReturnType<typeof softAuthenticator> }> {
    const { url } = await this.invited();
    const phone = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));
    const { deps } = this.node;
    const welcome = { token: String(url.split('/').at(-1)), name: 'Grace' };
    const { publicKey } = await beginAcceptance.run(deps, welcome);
    const made = await completeAcceptance.run(deps, { ...welcome, credential: phone.create(publicKey) });
    return { caller: await callerOf(deps, { kind: 'token', token: made.accessToken }), phone };
  }

  /** A place for notifications. */
  notifications(caller: Caller): Promise<Loose> {
    const input = { kind: 'plain', url: 'https://ntfy.example/topic', name: 'phone', about: ['approvals'] };
    return this.run('addNotifications', input, caller);
  }

  /** On a node whose backups are empty files. */
  async backedUp(
    name: 'startBackup' | 'downloadBackup' | 'setBackupSchedule',
    input: Record<string, unknown> = {},
    folder = '',
  ): Promise<void> {
    const { deps, owner } = this.node;
    const sizes = { bytes: 0, events: 0, rows: 0, schemaVersion: 1 };
    const archive = { fileName: 'countersign.tar', createdAt: 0, sha256: '', ...sizes };
    const backups = {
      folder,
      noteKept: () => undefined,
      tryRestore: async () => sizes,
      lastAt: () => undefined,
      attempt: () => ({ state: 'NONE' }) as const,
      start: () => ({ state: 'NONE' }) as const,
      latest: () => archive,
      read: async () => (async function* () {})(),
    };
    const useCase = allOperations[name] as UseCase;
    await call(useCase.run, { ...deps, data: { ...deps.data, backups } }, nodeCaller(deps, owner.tenantId), input);
  }

  /** A payment that failed because the rail declined it. */
  async failed(): Promise<Loose> {
    const { approvalToken } = await this.cart();
    const { pmVc } = await this.run('mandatePayment', { approvalToken, instrument: 'pm_card_visa_chargeDeclined' });
    return this.run('getPayment', { mandateId: pmVc.credentialSubject.mandateId });
  }

  notify(notice: RailNotice): Promise<void> {
    return handleRailEvent(this.node.deps, 'CARD_RAIL', { id: undefined, type: 'test', notice });
  }

  snapshot(payment: Loose, state: RailSnapshot['state'], more: Partial<RailSnapshot> = {}): RailNotice {
    const { mandateId, railTransactionId: railId } = payment;
    return { kind: 'payment', snapshot: { railId, mandateId, state, capturedMinor: 0, ...more } };
  }

  dispute(payment: Loose, status: DisputeStatus = 'needs_response', reopens = false): Promise<void> {
    const railId = payment.railTransactionId;
    const said = { amountMinor: undefined, currency: undefined, reason: 'fraudulent', dueBy: undefined };
    return this.notify({ kind: 'dispute', railId, disputeId: 'dp_1', ...said, status, reopens });
  }

  async passkey(): Promise<Loose> {
    const { agentDid } = this;
    const { publicKey } = await this.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
    const credential = this.#phone.create(publicKey);
    return (await this.run('completePasskeyRegistration', { agentDid, credential })).passkey;
  }

  async presence(): Promise<void> {
    const begun = await this.run('beginPresence', { agentDid: this.agentDid });
    const credential = this.#phone.get(begun.publicKey);
    await this.run('completePresence', { challengeId: begun.challengeId, credential });
  }

  /** @returns the approval's id */
  async approval(): Promise<string> {
    const rules = { version: '2.0', spend: { amount_cap: 1000 }, context: { presence: 'required' } };
    await this.run('createPolicy', { name: 'With a person', rules });
    const { approval } = await this.cart();
    return approval.id;
  }

  async decide(decision: 'approve' | 'deny'): Promise<void> {
    await this.passkey();
    const id = await this.approval();
    const { challengeId, publicKey } = (await beginDecision.run(this.node.deps, { id, decision })) as Loose;
    await completeDecision.run(this.node.deps, { id, challengeId, credential: this.#phone.get(publicKey) });
  }

  spt(): Promise<Loose> {
    return this.run('createSpt', { merchantDomain: SHOP, amount: 5, currency: 'USD', expiresIn: 300 });
  }

  webhook(): Promise<Loose> {
    return this.run('createWebhook', { url: 'https://receiver.example/hook', events: ['intent.issued'] });
  }

  merchant(): Promise<Loose> {
    return this.run('bindMerchant', { domain: 'other.example', did: MERCHANT });
  }

  /** A checkout of UCP is paid. */
  async checkout(): Promise<Loose> {
    const shop = await ucpBusiness(SHOP);
    await this.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
    const { intentVc } = await this.intent(100);
    const intentId = intentVc.credentialSubject.mandateId;
    const offered = { intentId, merchantDomain: SHOP, checkout: await shop.checkout() };
    const { approvalToken } = await this.run('validateUcpCheckout', offered);
    return this.run('mandatePayment', { approvalToken });
  }

  /** A chain of mandates is presented. */
  async mandated(options: ClosedOptions = {}): Promise<Loose> {
    const parties = new MandateParties(() => this.node.clock.now);
    await this.run('addMandateIssuer', { name: 'Provider', kind: 'agent-provider', jwk: parties.provider.jwk });
    const mandate = parties.close(parties.open(), options);
    return this.run('issuePaymentCredential', { agentDid: this.agentDid, ...mandate });
  }

  /** An open mandate that is registered for the agent. */
  async delegation(): Promise<Loose> {
    const parties = new MandateParties(() => this.node.clock.now);
    await this.run('addMandateIssuer', { name: 'Provider', kind: 'agent-provider', jwk: parties.provider.jwk });
    return this.run('registerDelegation', { token: parties.open(), agentDid: this.agentDid });
  }

  mandateIssuer(): Promise<Loose> {
    return this.run('addMandateIssuer', { name: 'Wallet', kind: 'user-credential', jwk: makeP256().jwk });
  }

  instrument(): Promise<Loose> {
    return this.run('addInstrument', { agentDid: this.agentDid, paymentMethod: 'pm_1Abc' });
  }

  principal(): Promise<Loose> {
    return this.run('registerPrincipal', { did: MERCHANT, name: 'Household', agents: [] });
  }

  /** A user logs in. @returns the user */
  async login(name = 'ada'): Promise<Loose> {
    const subject = `${name}@people.example`;
    await openLogin(this.node.deps, { issuer: 'https://people.example', subject, email: subject, emailVerified: true });
    const { data } = await this.run('listUsers', { limit: 200 });
    return data.find(({ email }: Loose) => email === subject);
  }

  /** What an OWNER does to a second person. */
  async govern(...steps: (readonly ['setUserRole' | 'removeUser', object])[]): Promise<void> {
    const { id: userId } = await this.login();
    const { id } = await this.login('bob');
    const owner = { ...this.node.owner, kind: 'session' as const, id: userId, userId };
    for (const [name, input] of steps) await this.run(name, { id, ...input }, owner);
  }

  /** The operator of the node invites a user. */
  invited(): Promise<Loose> {
    const { deps, owner } = this.node;
    return this.run('createInvitation', { role: 'MEMBER' }, nodeCaller(deps, owner.tenantId));
  }

  key(): Promise<Loose> {
    return this.run('createApiKey', { name: 'one more', permissions: ['read'] });
  }
}

const rotated = async ({ node }: Stage) => {
  const { issuer, suite } = node.deps;
  const next = suite.signer(new Uint8Array(32).fill(9));
  const rotation = signRotation(suite, issuer, { to: next.did, at: node.clock.now });
  await adoptRotations({ ...node.deps, issuer: next, evidence: { ...node.deps.evidence, rotations: [rotation] } });
};

const lateHold = async (stage: Stage) => {
  const payment = await stage.failed();
  await stage.notify(stage.snapshot(payment, 'authorized'));
};

/** What causes each type, beside what leads there. */
const CAUSES: Readonly<Record<EvidenceType, (stage: Stage) => Promise<unknown>>> = {
  INTENT_ISSUED: (stage) => stage.intent(),
  CART_VALIDATED: (stage) => stage.cart(),
  PM_ISSUED: (stage) => stage.paid(),
  PAYMENT_AUTHORIZED: (stage) => stage.paid(),
  INTENT_DENIED: (stage) => stage.intent(5000),
  INTENT_EXPIRED: async (stage) => {
    await stage.intent();
    stage.node.clock.now += DAY_MS;
    await expireIntents(stage.node.deps);
  },
  CART_REJECTED: (stage) => stage.cart(11, 10),
  PAYMENT_CAPTURED: (stage) => stage.paid(true),
  PAYMENT_FAILED: (stage) => stage.failed(),
  PAYMENT_CANCELED: async (stage) => stage.run('cancelPayment', { mandateId: (await stage.paid()).mandateId }),
  PAYMENT_REFUNDED: async (stage) => stage.run('refundPayment', { mandateId: (await stage.paid(true)).mandateId }),
  PAYMENT_DISPUTED: async (stage) => stage.dispute(await stage.paid(true)),
  PAYMENT_UNKNOWN: async (stage) => {
    stage.node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    await stage.paid();
  },
  PAYMENT_HOLD_ENDING: async (stage) => {
    await stage.paid();
    stage.node.clock.now += 6.5 * DAY_MS;
    await warnOfHolds(stage.node.deps);
  },
  PAYMENT_LATE_SUCCESS: lateHold,
  PAYMENT_LATE_CANCELED: async (stage) => {
    await lateHold(stage);
    await reconcile(stage.node.deps);
  },
  PAYMENT_DISPUTE_SUBMITTED: async (stage) => {
    const { mandateId } = await stage.paid(true);
    await stage.run('demoDispute', { mandateId });
    const { disputes } = await stage.run('getPayment', { mandateId });
    await stage.run('submitDispute', { id: disputes[0].id, note: 'Sent.' });
  },
  PAYMENT_DISPUTE_CLOSED: async (stage) => {
    const payment = await stage.paid(true);
    await stage.dispute(payment);
    await stage.dispute(payment, 'won');
    await stage.dispute(payment, 'won');
  },
  PAYMENT_DISPUTE_REOPENED: async (stage) => {
    const payment = await stage.paid(true);
    await stage.dispute(payment, 'lost');
    await stage.dispute(payment, 'needs_response', true);
    await stage.dispute(payment, 'under_review', true);
  },
  PAYMENT_INQUIRY: async (stage) => {
    const payment = await stage.paid(true);
    await stage.dispute(payment, 'inquiry');
    await stage.dispute(payment, 'inquiry');
  },
  PAYMENT_REFUND_FAILED: async (stage) => {
    const { mandateId } = await stage.paid(true);
    await stage.run('refundPayment', { mandateId });
    await stage.run('demoRefundFailure', { mandateId });
  },
  PAYMENT_SYNCED: async (stage) => {
    const { mandateId, railTransactionId: railId } = await stage.paid(true);
    stage.node.railAnswers(async () => ({ kind: 'declined', code: 'no', message: 'No.' }));
    stage.node.railShows(async () => ({ railId, mandateId, state: 'captured', capturedMinor: 800, refundedMinor: 0 }));
    await stage.run('refundPayment', { mandateId }).catch(() => {});
  },
  PAYMENT_NOTED: async (stage) => {
    const { agentDid } = stage;
    const challenges = [mppChallenge({ id: 'c1' })];
    await stage.run('authorizeHttpPayment', { agentDid, url: 'https://reports.example/', challenges });
    await stage.run('settleHttpPayment', { challengeId: 'c1', status: 204 });
  },
  EXTERNAL_OVERRUN: async (stage) => {
    const { agentDid } = stage;
    const rules = { version: '2.0', spend: { amount_cap: 1000 }, rails: { allow: ['EXTERNAL_RAIL'] } };
    await stage.run('createPolicy', { name: 'Elsewhere', rules });
    const asked = { merchant: 'tea.example', amount: 5, currency: 'USD', channel: 'card', idempotencyKey: 'tea' };
    const { mandateId } = await stage.run('reserveExternally', { agentDid, ...asked });
    const told = { mandateId, amount: 6, evidence: { kind: 'none' } };
    await stage.run('commitReservation', told).catch(() => {});
  },
  EXTERNAL_UNMATCHED: (stage) => {
    const line = { occurredAt: '2026-06-01T12:00:00Z', amount: 5, currency: 'USD', descriptor: 'TEA' };
    return stage.run('readStatement', { lines: [line] });
  },
  HTTP_SIGNED: async (stage) => {
    const { intentVc } = await stage.intent();
    const { mandateId: intentId } = intentVc.credentialSubject;
    const url = `https://${SHOP}/`;
    await stage.run('signHttpRequest', { intentId, method: 'GET', url, profile: 'web-bot-auth' });
  },
  INSTRUMENT_ADDED: (stage) => stage.instrument(),
  INSTRUMENT_REMOVED: async (stage) => stage.run('removeInstrument', { id: (await stage.instrument()).id }),
  WALLET_ADDED: (stage) => stage.run('createWallet', { network: 'eip155:8453' }),
  WALLET_REMOVED: async (stage) => {
    const { id } = await stage.run('createWallet', { network: 'eip155:8453' });
    await stage.run('removeWallet', { id });
  },
  TOOLS_ACCEPTED: async (stage) => {
    const definition = '{"name":"pay"}';
    const hash = createHash('sha256').update(definition).digest('hex');
    const pay = { name: 'pay', readOnly: false, action: 'reserve', hash, change: 'changed', definition };
    const servers = [{ name: 'shop', tools: [pay] }];
    const { id } = await stage.run('tellGuard', { name: 'laptop', agentDid: stage.agentDid, servers });
    const { deps, owner } = stage.node;
    const tools = [{ name: 'pay', hash }];
    await stage.run('acceptTools', { id, server: 'shop', tools }, nodeCaller(deps, owner.tenantId));
  },
  GUARD_REMOVED: async (stage) => {
    const { id } = await stage.run('tellGuard', { name: 'laptop', agentDid: stage.agentDid, servers: [] });
    await stage.run('removeGuard', { id });
  },
  AGENT_CREATED: (stage) => stage.node.agent(),
  AGENT_REVOKED: (stage) => stage.run('revokeAgent', { did: stage.agentDid, reason: 'lost' }),
  AGENT_SUSPENDED: (stage) => stage.run('suspendAgent', { did: stage.agentDid }),
  AGENT_REACTIVATED: async (stage) => {
    await stage.run('suspendAgent', { did: stage.agentDid });
    await stage.run('reactivateAgent', { did: stage.agentDid });
  },
  AGENT_VELOCITY_UPDATED: (stage) =>
    stage.run('setAgentVelocity', { did: stage.agentDid, maxTransactions: 5, timeWindow: '1h' }),
  POLICY_CREATED: (stage) => stage.run('createPolicy', { name: 'Another', rules: { version: '2.0' } }),
  POLICY_UPDATED: async (stage) => {
    const { id } = await stage.run('currentPolicy', {});
    await stage.run('updatePolicy', { id, name: 'Renamed' });
  },
  HP_REGISTERED: (stage) => stage.passkey(),
  HP_VERIFIED: async (stage) => {
    await stage.passkey();
    await stage.presence();
  },
  HP_REMOVED: async (stage) => stage.run('removePasskey', { id: (await stage.passkey()).id }),
  HP_LINK_CREATED: (stage) => stage.run('createEnrollment', { agentDid: stage.agentDid }),
  APPROVAL_REQUESTED: (stage) => stage.approval(),
  APPROVAL_GRANTED: (stage) => stage.decide('approve'),
  APPROVAL_DENIED: (stage) => stage.decide('deny'),
  APPROVAL_EXPIRED: async (stage) => {
    await stage.approval();
    stage.node.clock.now += DAY_MS;
    await expireApprovals(stage.node.deps);
  },
  APPROVAL_ESCALATED: async (stage) => {
    const { caller } = await stage.grace();
    await stage.passkey();
    await stage.run('setEscalation', { userIds: [caller.userId] });
    await stage.approval();
    stage.node.clock.now += 600_000;
    await escalateApprovals(stage.node.deps);
  },
  ESCALATION_CHANGED: async (stage) => {
    const { caller } = await stage.grace();
    await stage.run('setEscalation', { userIds: [caller.userId], afterMinutes: 5 });
  },
  SPT_CREATED: (stage) => stage.spt(),
  SPT_USED: async (stage) =>
    stage.notify({ kind: 'token', tokenId: (await stage.spt()).id, change: 'used', railId: 'pi_1' }),
  SPT_EXPIRED: async (stage) => {
    await stage.spt();
    stage.node.clock.now += DAY_MS;
    await expireTokens(stage.node.deps);
  },
  SPT_REVOKED: async (stage) => stage.run('revokeSpt', { id: (await stage.spt()).id }),
  SPT_USE_IGNORED: async (stage) => {
    const { id } = await stage.spt();
    await stage.run('revokeSpt', { id });
    await stage.notify({ kind: 'token', tokenId: id, change: 'used', railId: 'pi_1' });
  },
  PRINCIPAL_REGISTERED: (stage) => stage.principal(),
  PRINCIPAL_RENAMED: async (stage) =>
    stage.run('changePrincipal', { did: (await stage.principal()).did, name: 'Firm' }),
  DELEGATION_CHANGED: async (stage) =>
    stage.run('changePrincipal', { did: (await stage.principal()).did, agents: [stage.agentDid] }),
  USER_ADDED: (stage) => stage.login(),
  USER_INVITED: (stage) => stage.govern(['removeUser', {}], ['setUserRole', { role: 'VIEWER' }]),
  USER_ROLE_CHANGED: (stage) => stage.govern(['setUserRole', { role: 'MEMBER' }]),
  USER_REMOVED: (stage) => stage.govern(['removeUser', {}], ['removeUser', {}]),
  LOGIN_OPENED: (stage) => stage.login(),
  LOGIN_REFUSED: async (stage) => {
    await stage.govern(['removeUser', {}]);
    await stage.login('bob').catch(() => {});
  },
  INVITATION_CREATED: (stage) => stage.invited(),
  INVITATION_WITHDRAWN: async (stage) => stage.run('revokeInvitation', { id: (await stage.invited()).id }),
  NOTIFICATIONS_ADDED: async (stage) => stage.notifications((await stage.grace()).caller),
  NOTIFICATIONS_CHANGED: async (stage) => {
    const { caller } = await stage.grace();
    const { id } = await stage.notifications(caller);
    await stage.run('changeNotifications', { id, name: 'phone', about: ['disputes'] }, caller);
  },
  NOTIFICATIONS_REMOVED: async (stage) => {
    const { caller } = await stage.grace();
    const { id } = await stage.notifications(caller);
    await stage.run('removeNotifications', { id }, caller);
  },
  BACKUP_STARTED: (stage) => stage.backedUp('startBackup'),
  BACKUP_DOWNLOADED: (stage) => stage.backedUp('downloadBackup'),
  BACKUP_SCHEDULE_CHANGED: async (stage) => {
    const [folder, dataDir] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'countersign-schedule-'))));
    const target = { kind: 'folder', folder };
    await stage.backedUp(
      'setBackupSchedule',
      { every: 'day', hour: 2, keep: 1, target },
      join(`${dataDir}`, 'backups'),
    );
    for (const each of [folder, dataDir]) await rm(`${each}`, { recursive: true });
  },
  LOGIN_TOUCHED: async (stage) => {
    const { caller, phone } = await stage.grace();
    const options = await stage.run('beginStepUp', {}, caller);
    await stage.run('completeStepUp', { credential: phone.get(options.publicKey) }, caller);
  },
  AGENT_UPDATED: async (stage) => stage.run('changeAgent', { did: stage.agentDid, name: 'Renamed' }),
  LOGIN_ENDED: async (stage) => {
    const { caller } = await stage.grace();
    await stage.run('logout', {}, caller);
  },
  KEY_CREATED: (stage) => stage.key(),
  KEY_REVOKED: async (stage) => stage.run('revokeApiKey', { id: (await stage.key()).id }),
  WEBHOOK_CREATED: (stage) => stage.webhook(),
  WEBHOOK_DELETED: async (stage) => stage.run('deleteWebhook', { id: (await stage.webhook()).id }),
  WEBHOOK_UPDATED: async (stage) =>
    stage.run('updateWebhook', { id: (await stage.webhook()).id, events: ['intent.denied'] }),
  WEBHOOK_DISABLED: async (stage) => stage.run('updateWebhook', { id: (await stage.webhook()).id, status: 'DISABLED' }),
  MERCHANT_BOUND: (stage) => stage.merchant(),
  MERCHANT_REMOVED: async (stage) => stage.run('removeMerchant', { id: (await stage.merchant()).id }),
  CHECKOUT_MANDATES_ISSUED: (stage) => stage.checkout(),
  MANDATE_ACCEPTED: (stage) => stage.mandated(),
  MANDATE_REFUSED: (stage) => stage.mandated({ amount: 0 }),
  MANDATE_KEY_BOUND: (stage) => stage.mandated(),
  RECEIPT_ISSUED: async (stage) => {
    const { approvalToken } = await stage.mandated();
    await stage.run('mandatePayment', { approvalToken });
  },
  DELEGATION_REGISTERED: (stage) => stage.delegation(),
  DELEGATION_REVOKED: async (stage) => stage.run('revokeDelegation', { id: (await stage.delegation()).id }),
  MANDATE_ISSUER_ADDED: (stage) => stage.mandateIssuer(),
  MANDATE_ISSUER_REMOVED: async (stage) => stage.run('removeMandateIssuer', { id: (await stage.mandateIssuer()).id }),
  TASK_ATTACHED: (stage) => stage.task({ attached: { messageId: 'm-1', parts: [{ risk_data: 'low' }] } }),
  ISSUER_ROTATED: rotated,
  STATUS_SET: async (stage) => {
    const { node } = stage;
    const { issuer, suite } = node.deps;
    const asked = { id: (await stage.paid()).mandateId, as: 'vc' };
    await stage.run('showCredential', asked);
    const next = suite.signer(new Uint8Array(32).fill(9));
    const rotation = signRotation(suite, issuer, { to: next.did, at: node.clock.now });
    const useCase = allOperations.showCredential as UseCase;
    await call(
      useCase.run,
      { ...node.deps, issuer: next, evidence: { ...node.deps.evidence, rotations: [rotation] } },
      node.owner,
      asked,
    );
  },
  TEST_DATA_RESET: (stage) => stage.run('resetTestData', {}),
};

describe('evidence of each type', () => {
  for (const type of EVIDENCE_TYPES) {
    test(`${type} is recorded by its cause, once`, async () => {
      const node = await memoryNode();
      const { did } = await node.agent();
      const count = async () => (await node.events()).filter((one) => one === type).length;
      // A reset begins a new chain.
      const before = type === 'TEST_DATA_RESET' ? 0 : await count();
      await CAUSES[type](new Stage(node, did));
      assert.equal((await count()) - before, 1);
    });
  }
});
