/**
 * Verifies that a person approved an action: nine checks of a decision by a reader who trusts no word of its bearer. What
 * it cannot show: what the person's screen said, and when they decided, which is the node's word.
 */

import { readClientData } from '../credential/clientData.ts';
import type { Suite } from '../credential/ed25519.ts';
import { type PublicJwk, thumbprint } from '../jwk/jwk.ts';
import { Fault } from '../wire/fault.ts';
import {
  APPROVAL_CHECKS,
  type ApprovalCheck,
  type ApprovalExpectation,
  type ApprovalVerdict,
} from './approvalChecks.ts';
import type { ApprovalDecision } from './approvalDecision.ts';
import { authenticatorFault, challengeFault, placeFault, signatureFault } from './assertionChecks.ts';
import { checkEnrolment } from './passkeyEnrolment.ts';
import type { TouchPerson } from './personText.ts';

export interface ApprovalTrust {
  /** Keys of people who may approve it. */
  readonly keys?: readonly PublicJwk[] | undefined;
  /** The same, by their thumbprints (RFC 7638). */
  readonly thumbprints?: readonly string[] | undefined;
  /** DIDs of nodes whose word on whose key it is the reader takes. */
  readonly issuers?: readonly string[] | undefined;
  /** The id and the random part of each decision that the reader acted on before. */
  readonly used?: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Clocks of two parties may differ by this much. */
const SKEW_MS = 60_000;

export function verifyApproval(
  suite: Suite,
  decision: ApprovalDecision,
  expect: ApprovalExpectation,
  trust: ApprovalTrust,
): ApprovalVerdict {
  const holder = checkPerson(suite, decision, trust);
  const faults: Readonly<Record<ApprovalCheck, string | undefined>> = {
    action: actionFault(decision, expect),
    approved: approvedFault(decision),
    ...touchFaults(suite, decision, expect),
    person: 'fault' in holder ? holder.fault : undefined,
    time: timeFault(decision, expect, trust.now),
    unused: usedFault(decision, trust),
  };
  const checks = APPROVAL_CHECKS.map((name) => ({ name, ok: faults[name] === undefined }));
  const first = APPROVAL_CHECKS.map((name) => faults[name]).find((fault) => fault !== undefined);
  const { person: approvedBy } = 'fault' in holder ? {} : holder;
  return first === undefined
    ? { valid: true, ...(approvedBy && { approvedBy }), checks }
    : { valid: false, reason: sentence(first), checks };
}

const COMPARED = ['agentDid', 'principalDid', 'amount', 'currency', 'merchant'] as const;

/** Check 1: the passkey signed this action, and no other. */
function actionFault(decision: ApprovalDecision, expect: ApprovalExpectation): string | undefined {
  const { id, binding } = decision;
  if (expect.id !== undefined && id !== expect.id) return 'it answers another request';
  // How the request ended says more than that nothing was signed.
  if (binding === undefined) return approvedFault(decision) ?? 'no action was signed';
  const hashes = [binding.cartHash, binding.documentHash].filter((hash) => hash !== undefined);
  if (hashes.length === 0 || hashes.some((hash) => hash !== expect.documentHash)) return 'it is of another document';
  const other = COMPARED.find((name) => expect[name] !== undefined && binding[name] !== expect[name]);
  return other === undefined ? undefined : `it is of another ${other}`;
}

/** Check 2: the person said yes. */
function approvedFault({ outcome, binding }: ApprovalDecision): string | undefined {
  if (outcome !== 'approved') return `the action was not approved: the request is ${outcome}`;
  return binding?.decision === 'approve' ? undefined : 'the passkey signed a denial';
}

/** Checks 3 to 6: the assertion itself. */
function touchFaults(
  suite: Suite,
  { binding, random, key, rpId, origin, assertion }: ApprovalDecision,
  expect: ApprovalExpectation,
): Record<'challenge' | 'place' | 'authenticator' | 'signature', string | undefined> {
  if (
    binding === undefined ||
    random === undefined ||
    key === undefined ||
    rpId === undefined ||
    origin === undefined ||
    assertion === undefined
  ) {
    const none = 'no passkey signed it';
    return { challenge: none, place: none, authenticator: none, signature: none };
  }
  const said = readClientData(assertion.clientDataJSON);
  const origins = expect.origin === undefined ? [origin] : [origin, expect.origin];
  return {
    challenge: asFault(() => challengeFault(suite, said, random, binding)),
    place: placeFault(said, origins),
    authenticator:
      rpFault(rpId, String(said.origin), expect.rpId) ?? authenticatorFault(suite, assertion.authenticatorData, rpId),
    signature: signatureFault(suite, key, assertion),
  };
}

/** @param origin as the browser states it, which the passkey signed */
function rpFault(rpId: string, origin: string, expected = rpId): string | undefined {
  if (rpId !== expected) return `it is of the RP id ${rpId}`;
  return isOf(origin, rpId) ? undefined : `the origin ${origin} is not of the RP id ${rpId}`;
}

/** Whether browsers let an origin use passkeys of an RP id: its host, or a domain above it. */
function isOf(origin: string, rpId: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === rpId || host.endsWith(`.${rpId}`);
}

function asFault(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Check 7: the key is that of a person who may approve it, by the reader's own knowledge or by the word of a trusted node. */
function checkPerson(
  suite: Suite,
  { key, binding, enrolment, decidedAt }: ApprovalDecision,
  { keys = [], thumbprints = [], issuers = [], now }: ApprovalTrust,
): { readonly fault: string } | { readonly person?: TouchPerson | undefined } {
  if (key === undefined || binding === undefined) return { fault: 'no key signed it' };
  const jwkThumbprint = thumbprint(suite, key);
  const known = [...thumbprints, ...keys.map((each) => thumbprint(suite, each))];
  // Whose key it is the reader knows without the node.
  if (known.includes(jwkThumbprint)) return {};
  if (enrolment === undefined || issuers.length === 0) {
    return {
      fault: known.length === 0 ? 'nothing says whose key it is' : 'its key is none of those that may approve it',
    };
  }
  const { principalDid, agentDid } = binding;
  const expected = { issuers, principalDid, agentDid, jwkThumbprint, decidedAt, now };
  const check = checkEnrolment(suite, enrolment, expected);
  return check.ok ? { person: check.person } : { fault: check.reason };
}

/** Check 8: in time. The time itself is the node's word. */
function timeFault({ decidedAt }: ApprovalDecision, { expiresAt }: ApprovalExpectation, now: number) {
  const at = Date.parse(decidedAt);
  if (at > now + SKEW_MS) return 'it was decided in the future';
  const isLate = expiresAt !== undefined && !(at < Date.parse(expiresAt));
  return isLate ? `it was decided after the request ended at ${expiresAt}` : undefined;
}

/** Check 9: once. The passkey does not sign the id but the random part, so both are remembered. */
function usedFault({ id, random }: ApprovalDecision, { used = [] }: ApprovalTrust): string | undefined {
  return used.includes(id) || (random !== undefined && used.includes(random)) ? 'it was used before' : undefined;
}

function sentence(fault: string): string {
  return `${fault[0]?.toUpperCase()}${fault.slice(1)}.`;
}
