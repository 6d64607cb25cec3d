/** Verifies a decision on an approval, of this node or another: for callers without a verifier of their own. */
import { z } from 'zod';
import { APPROVAL_CHECKS } from '../../../protocol/approvals/approvalChecks.ts';
import { ApprovalDecision, Sha256 } from '../../../protocol/approvals/approvalDecision.ts';
import { verifyApproval } from '../../../protocol/approvals/verifyApproval.ts';
import { retirementFault } from '../../../protocol/evidence/rotation.ts';
import { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { PasskeyOf } from '../../../protocol/presence.ts';
import { leftOut, NotCompared } from '../../../protocol/wire/notCompared.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const Moment = z.iso.datetime({ offset: true });

const CheckApproval = z.object({
  decision: ApprovalDecision,
  expect: z
    .strictObject({
      documentHash: Sha256.describe(
        'Of the action in the caller’s hand, computed by the caller: a cart’s is its cartHash.',
      ),
      agentDid: z.string().max(512).optional(),
      principalDid: z.string().max(512).optional(),
      amount: z.number().optional(),
      currency: z.string().max(10).optional(),
      merchant: z.string().max(512).optional(),
      id: z.string().max(100).optional().describe('Of the request that was to be answered.'),
      expiresAt: Moment.optional().describe('Of that request.'),
      rpId: z.string().max(253).optional().describe('As the node’s card says.'),
      origin: z.string().max(300).optional().describe('As the node’s card says.'),
    })
    .describe('The action; nothing of it may be taken from the decision. A member that is not known is a 400.'),
  keys: z
    .array(PublicJwk)
    .max(50)
    .readonly()
    .optional()
    .describe('Keys of the people who may approve it, of all of them. Without them, an enrolment by this node counts.'),
  used: z
    .array(z.string().max(100))
    .max(1000)
    .optional()
    .describe('`id` and `random` of decisions that the caller acted on before.'),
  at: Moment.optional().describe('By when it is judged; now when absent.'),
});
type CheckApproval = z.output<typeof CheckApproval>;

const Verdict = z.object({
  valid: z.boolean(),
  reason: z.string().optional().describe('Of the first check that failed.'),
  approvedBy: z
    .object({ did: z.string(), passkeyOf: PasskeyOf })
    .optional()
    .describe('Whose touch it was, of a valid one whose enrolment says it.'),
  checks: z.array(z.object({ name: z.enum(APPROVAL_CHECKS), ok: z.boolean() })),
  notCompared: NotCompared,
});
type Verdict = z.infer<typeof Verdict>;

export const checkApproval = useCase({
  summary: 'Verifies that a person approved an action, by nine checks of the decision. It spends nothing.',
  input: CheckApproval,
  output: Verdict,
  permission: 'read',
  showsOwn: true,
  run: inOneRead<CheckApproval, Verdict>(function* (
    deps: Pick<Deps, 'evidence' | 'issuer' | 'suite'>,
    _caller,
    { decision, expect, keys, used, at },
    now,
  ) {
    const judgedAt = at === undefined ? now : Date.parse(at);
    const { checks, ...verdict } = verifyApproval(deps.suite, decision, expect, {
      ...{ keys, used, now: judgedAt },
      // Who names keys means these people, and not each person of any owner of this node.
      issuers: keys === undefined ? issuersAt(deps, decision.decidedAt) : [],
    });
    return { ...verdict, checks: [...checks], notCompared: notCompared(expect, used) };
  }),
});

/** Without keys, the enrolment of the passkey stands in their place. */
function notCompared(expect: CheckApproval['expect'], used: CheckApproval['used']): string[] {
  const { agentDid, principalDid, amount, currency, merchant, id, expiresAt, rpId, origin } = expect;
  return leftOut({ agentDid, principalDid, amount, currency, merchant, id, expiresAt, rpId, origin, used });
}

/**
 * The DIDs that this node has signed as. A thief of a key can date what it signs at will; a retired one vouches for no later decision.
 * @param decidedAt ISO 8601
 */
function issuersAt(
  { issuer, evidence: { rotations } }: Pick<Deps, 'evidence' | 'issuer'>,
  decidedAt: string,
): string[] {
  const former = rotations.filter(
    ({ from, compromised }) => compromised !== true && retirementFault(rotations, from, [decidedAt]) === undefined,
  );
  return [...former.map(({ from }) => from), issuer.did];
}
