/** A stranger's part: whether a person approved an action, judged by what their passkey signed and by nothing that a node says. */

import { z } from 'zod';
import type { ApprovalExpectation, ApprovalVerdict } from '../protocol/approvals/approvalChecks.ts';
import { ApprovalDecision } from '../protocol/approvals/approvalDecision.ts';
import { verifyApproval as verify } from '../protocol/approvals/verifyApproval.ts';
import { nobleSuite, type Suite } from '../protocol/credential/ed25519.ts';
import { PublicJwk } from '../protocol/jwk/jwk.ts';
import { Fault } from '../protocol/wire/fault.ts';
import { detailsOf } from '../protocol/wire/issue.ts';
import { refusedHere } from './error.ts';
import type { ApprovalDecisionInput } from './operations.ts';

export interface ApprovalTrustOptions {
  /** Public keys of people who may approve it (JWK). */
  readonly keys?: readonly NonNullable<ApprovalDecisionInput['key']>[];
  /** The same, by their thumbprints (RFC 7638), as a request for approval names them. */
  readonly thumbprints?: readonly string[];
  /** DIDs of nodes whose word on whose key it is you take. */
  readonly issuers?: readonly string[];
  /** `id` and `random` of each decision that you acted on before. */
  readonly used?: readonly string[];
  readonly now?: Date;
  readonly suite?: Suite;
}

/**
 * Nine checks of a decision on a request for approval, the first that fails with a sentence. Without `keys`, `thumbprints` or
 * `issuers` no decision is valid, as nothing says whose key it is.
 * @param decision not trusted; the data of a part `approval.decision`, or `decision` of an approval
 * @param expect the action in your hand: compute `documentHash` from the document, never take it from the decision
 * @throws CountersignError BAD_REQUEST for what is no decision
 */
export function verifyApproval(
  decision: unknown,
  expect: ApprovalExpectation,
  { now = new Date(), suite = nobleSuite, keys = [], ...trust }: ApprovalTrustOptions = {},
): ApprovalVerdict {
  const parsed = read(z.object({ decision: ApprovalDecision, keys: z.array(PublicJwk) }), { decision, keys });
  return verify(suite, parsed.decision, expect, { ...trust, keys: parsed.keys, now: now.getTime() });
}

/** @throws CountersignError BAD_REQUEST */
function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const details = detailsOf(parsed.error, given);
  throw refusedHere(new Fault('BAD_REQUEST', `${details[0]?.path}: ${details[0]?.message}.`, details));
}
