/** Which event of the chain an acknowledged answer belongs to: both are given the same name. */
import { type Asked, doneBody } from './calls.ts';
import { CartAllowed, type Event, IntentAllowed, Paid, PolicyShown, Webhook } from './shapes.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an event is called. */
const EVENT_NAMES: Readonly<Record<string, (data: Members) => string>> = {
  INTENT_ISSUED: ({ mandateId }) => `intent ${mandateId}`,
  PM_ISSUED: ({ mandateId }) => `payment ${mandateId}`,
  PAYMENT_CAPTURED: ({ mandateId }) => `capture of ${mandateId}`,
  PAYMENT_CANCELED: ({ mandateId }) => `cancellation of ${mandateId}`,
  AGENT_CREATED: ({ agentDid }) => `agent ${agentDid}`,
  AGENT_REVOKED: ({ agentDid }) => `revocation of ${agentDid}`,
  POLICY_CREATED: ({ policyId, policyVersion }) => `policy ${policyId} version ${policyVersion}`,
  POLICY_UPDATED: ({ policyId, policyVersion }) => `policy ${policyId} version ${policyVersion}`,
  PRINCIPAL_REGISTERED: ({ principalDid }) => `principal ${principalDid}`,
  WEBHOOK_CREATED: ({ webhookId }) => `webhook ${webhookId}`,
  HP_REGISTERED: ({ passkeyId }) => `passkey ${passkeyId}`,
  HP_REMOVED: ({ passkeyId }) => `removal of ${passkeyId}`,
  APPROVAL_GRANTED: ({ approvalId }) => `yes to ${approvalId}`,
  APPROVAL_DENIED: ({ approvalId }) => `no to ${approvalId}`,
};

/** @returns undefined for an event that no answer names */
export function nameOfEvent({ eventType, data }: Event): string | undefined {
  return EVENT_NAMES[eventType]?.(data);
}

/** What an answer says was done. */
const ANSWER_NAMES: Readonly<Record<string, (body: unknown, input: Members) => string | undefined>> = {
  issueIntent: (body) =>
    named(IntentAllowed.safeParse(body).data, (data) => `intent ${data.intentVc.credentialSubject.mandateId}`),
  mandatePayment: (body) =>
    named(Paid.safeParse(body).data, (data) => `payment ${data.pmVc.credentialSubject.mandateId}`),
  reserveExternally: (body) => named(membersOf(body)['mandateId'], (id) => `payment ${id}`),
  authorizeHttpPayment: (body) => named(membersOf(body)['mandateId'], (id) => `payment ${id}`),
  capturePayment: (body) => (isState(body, 'CAPTURED') ? `capture of ${membersOf(body)['mandateId']}` : undefined),
  cancelPayment: (body) => (isState(body, 'CANCELED') ? `cancellation of ${membersOf(body)['mandateId']}` : undefined),
  registerAgent: (body) => named((body as { did?: unknown }).did, (did) => `agent ${did}`),
  revokeAgent: (_, { did }) => `revocation of ${did}`,
  createPolicy: policyName,
  updatePolicy: policyName,
  registerPrincipal: (_, { did }) => `principal ${did}`,
  createWebhook: (body) => named(Webhook.safeParse(body).data, ({ id }) => `webhook ${id}`),
  completeEnrollment: (body) => named(membersOf(body)['id'], (id) => `passkey ${id}`),
  removePasskey: (_, { id }) => `removal of ${id}`,
  completeDecision: decisionName,
  denyByLink: decisionName,
  denyApproval: decisionName,
};

/** @returns undefined for a request that did nothing, or nothing that has a name */
export function nameOfAnswer(asked: Asked): string | undefined {
  const body = doneBody(asked);
  return body === undefined ? undefined : ANSWER_NAMES[asked.call]?.(body, membersOf(asked.input));
}

/** The same for requests that can have only one effect together: a request and its repetitions. */
export function groupOf({ call, key, id, did, input }: Asked): string {
  const { approvalToken, did: named, mandateId, approvalId, challenges } = membersOf(input);
  if (typeof approvalToken === 'string') return `${call} ${approvalToken}`;
  if (challenges !== undefined) return `${call} ${JSON.stringify(challenges)}`;
  if (DECIDING.has(call)) return `decision of ${approvalId}`;
  if (call === 'revokeAgent') return `${call} ${named}`;
  const isOfPayment = call === 'capturePayment' || call === 'cancelPayment';
  if (isOfPayment && mandateId !== undefined) return `${call} ${mandateId}`;
  return `${call} ${callerOf(did)} ${key ?? `number ${id}`}`;
}

/** Of these one has an effect on an approval, and others may be told of it. */
const DECIDING: ReadonlySet<string> = new Set(['completeDecision', 'denyByLink', 'denyApproval']);

/** Callers without a DID ask with the one key of the tenant, so that they are the same caller. */
export function callerOf(did: string | undefined): string {
  return did ?? 'the key';
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function named<Value>(value: Value | undefined, name: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : name(value);
}

function isState(body: unknown, status: string): boolean {
  return membersOf(body)['status'] === status;
}

function decisionName(body: unknown, { approvalId }: Members): string | undefined {
  if (isState(body, 'approved')) return `yes to ${approvalId}`;
  return isState(body, 'denied') ? `no to ${approvalId}` : undefined;
}

function policyName(body: unknown): string | undefined {
  return named(PolicyShown.safeParse(body).data, ({ id, version }) => `policy ${id} version ${version}`);
}

/** The token and cart that an answer gives. */
export function tokenOf(asked: Asked) {
  return asked.call === 'validateCart' ? CartAllowed.safeParse(doneBody(asked)).data : undefined;
}
