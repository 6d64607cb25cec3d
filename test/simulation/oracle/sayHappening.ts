/** Happenings in plain sentences, subject first. */
import type { Happening } from '../history.ts';
import type { Asked } from './calls.ts';
import { sayMoney, thousandthsOf, thousandthsOfMinor } from './thousandths.ts';

type Members = Readonly<Record<string, unknown>>;

/** Who asked which node for what: the subject of a sentence on a request. */
export function sayCall({ by, node, call, input, key }: Pick<Asked, 'by' | 'node' | 'call' | 'input' | 'key'>): string {
  const under = key === undefined ? '' : ` under key ${key}`;
  return `The request of ${by} to node ${node} to ${sayWish(call, members(input))}${under}`;
}

/** @param call what an answer is to, where that is known */
export function sayHappening(happening: Happening, call?: Asked): string {
  switch (happening.kind) {
    case 'asked': {
      const { by, node, input, key } = happening;
      const under = key === undefined ? '' : ` (key ${key})`;
      return `${capital(by)} asked node ${node} to ${sayWish(happening.call, members(input))}${under}.`;
    }
    case 'answered':
      return `Node ${call?.node ?? '?'} answered ${call?.by ?? `request ${happening.id}`}: ${sayAnswer(happening.status, happening.body)}.`;
    case 'unanswered':
      return `${capital(call?.by ?? `request ${happening.id}`)} got no answer: ${happening.why}.`;
    case 'rail':
      return sayRail(happening);
    case 'received': {
      const { endpoint, event, type, answer } = happening;
      return `${capital(endpoint)} received ${type} ${event} and ${answer === 0 ? 'gave no answer' : `answered ${answer}`}.`;
    }
    case 'checkpoint':
      return `An outsider kept the checkpoint over ${happening.note.split('\n')[1]} events of node ${happening.node}.`;
    case 'fault':
      return `Node ${happening.node} had a fault: ${happening.what}${happening.detail === '' ? '' : `, ${happening.detail}`}.`;
    case 'quiet':
      return 'All faults ended and all came to rest; the owner read the books.';
  }
}

function sayRail({
  node,
  operation,
  key,
  payment,
  amountMinor,
  currency,
  did,
  told,
}: Extract<Happening, { kind: 'rail' }>): string {
  const amount = operation === 'find' ? '' : ` ${sayMoney(thousandthsOfMinor(amountMinor, currency), currency)}`;
  const end = { created: 'did it', again: 'had done it before', declined: 'declined', nothing: 'did nothing' }[did];
  const lost = told ? '' : '; its answer was lost';
  return `Node ${node} asked the rail to ${operation}${amount} for payment ${payment} under ${key}, and the rail ${end}${lost}.`;
}

const WISHES: Readonly<Record<string, (input: Members) => string>> = {
  issueIntent: ({ request, agentDid }) => {
    const { maxAmount, currency, vendorHints } = members(request);
    const { domain } = members(vendorHints);
    const at = domain === undefined ? '' : ` at ${domain}`;
    return `allow ${short(agentDid)} up to ${money(maxAmount, currency)}${at}`;
  },
  validateCart: ({ cartVc, intentVc, hpProof }) => {
    const { merchant, total, currency } = members(members(cartVc)['credentialSubject']);
    const { mandateId } = members(members(intentVc)['credentialSubject']);
    const person = hpProof === undefined ? '' : ` with presence proof ${members(hpProof)['id']}`;
    return `validate a cart of ${money(total, currency)} of ${merchant} for intent ${mandateId}${person}`;
  },
  mandatePayment: ({ approvalToken }) => `pay with approval token ${short(approvalToken)}`,
  capturePayment: ({ mandateId, amount }) => `capture ${amount ?? 'all'} of payment ${mandateId}`,
  cancelPayment: ({ mandateId }) => `cancel payment ${mandateId}`,
  refundPayment: ({ mandateId, amount }) => `refund ${amount ?? 'all'} of payment ${mandateId}`,
  registerAgent: ({ name }) => `register the agent ${name}`,
  revokeAgent: ({ did }) => `revoke agent ${short(did)}`,
  suspendAgent: ({ did }) => `suspend agent ${short(did)}`,
  reactivateAgent: ({ did }) => `reactivate agent ${short(did)}`,
  setAgentVelocity: ({ did, maxTransactions, maxAmount, timeWindow }) =>
    `limit agent ${short(did)} to ${maxTransactions ?? 'any number of'} purchases and ${maxAmount ?? 'any amount'} in ${timeWindow}`,
  createPolicy: ({ rules }) => `make a policy current: ${JSON.stringify(rules)}`,
  updatePolicy: ({ id, rules }) => `write the next version of ${id}: ${JSON.stringify(rules)}`,
  changePrincipal: ({ did, agents }) => `delegate the purchases of ${short(did)} to ${list(agents)}`,
  beginDecision: ({ approvalId, decision }) => `begin to ${decision} ${approvalId}`,
  completeDecision: ({ approvalId, credential }) => `decide ${approvalId} by passkey ${members(credential)['id']}`,
  denyByLink: ({ approvalId }) => `deny ${approvalId} by its link`,
  denyApproval: ({ approvalId }) => `withdraw ${approvalId}`,
  getApproval: ({ approvalId }) => `show ${approvalId}`,
  createEnrollment: ({ principalDid, agentDid }) => `make a link for a passkey of ${short(principalDid ?? agentDid)}`,
  removePasskey: ({ id }) => `remove passkey ${id}`,
  purchaseCart: ({ taskId }) => `go on with ${taskId} by a cart`,
  bringTouch: ({ taskId, hpProof }) => `go on with ${taskId} by presence proof ${members(hpProof)['id']}`,
  getTask: ({ id }) => `show ${id}`,
  cancelTask: ({ id }) => `withdraw ${id}`,
  registerPrincipal: ({ did, agents }) => `register principal ${short(did)}, for whom ${list(agents)} may buy`,
};

function sayWish(call: string, input: Members): string {
  return WISHES[call]?.(input) ?? `do ${call}`;
}

function sayAnswer(status: number, given: unknown): string {
  const body = members(given);
  const { allowed, reasonCodes, intentVc, approvalToken, pmVc, railResponse, mandateId } = body;
  if (allowed === false) return `refused, ${list(reasonCodes)}`;
  const subject = (credential: unknown) => members(members(credential)['credentialSubject'])['mandateId'];
  if (intentVc !== undefined) return `allowed, intent ${subject(intentVc)}`;
  if (approvalToken !== undefined) return `allowed, approval token ${short(approvalToken)}`;
  if (pmVc !== undefined) return `payment ${subject(pmVc)}, ${members(railResponse)['status']}`;
  if (mandateId !== undefined && body['status'] !== undefined) return `payment ${mandateId} is ${body['status']}`;
  const { code, message } = members(body['error']);
  return code === undefined ? `${status}` : `${status} ${code}, ${message}`;
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function money(amount: unknown, currency: unknown): string {
  const thousandths = thousandthsOf(amount);
  return thousandths === undefined ? `${amount} ${currency}` : sayMoney(thousandths, String(currency));
}

/** The last characters of what is too long to read. */
function short(value: unknown): string {
  const text = String(value);
  return text.length <= 20 ? text : `…${text.slice(-8)}`;
}

function list(values: unknown): string {
  return Array.isArray(values) && values.length > 0 ? values.map(short).join(', ') : 'none';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
