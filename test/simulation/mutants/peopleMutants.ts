/** Known bugs of passkeys and approvals, which only people and the agents who ask them meet (mutants.ts). */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs.
import type { Mutant } from './mutants.ts';

export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'assertion for another challenge',
    amid: 'people',
    breaks: 'An assertion counts for any challenge, so that one that was made before approves the next purchase.',
    file: 'src/access/presence/assertion.ts',
    before: '      expectedChallenge: challenge,\n',
    after: '      expectedChallenge: (given) => given !== challenge || given === challenge,\n',
  },
  {
    name: 'challenge of another purchase',
    amid: 'people',
    breaks: 'What a person signed for one purchase approves another one.',
    file: 'src/operations/approvals/decideApproval.ts',
    before: "(taken) => taken.subject_id === id && (taken.purpose === 'approve'",
    after: "(taken) => taken.subject_id !== '' && (taken.purpose === 'approve'",
  },
  {
    name: 'user not verified',
    amid: 'people',
    breaks: 'An assertion counts though its authenticator has not verified who holds it.',
    file: 'src/access/presence/assertion.ts',
    before: '      requireUserVerification: true,\n',
    after: '      requireUserVerification: false,\n',
  },
  {
    name: 'another person’s passkey',
    amid: 'people',
    breaks: 'Any passkey of the tenant approves, also one that was enrolled for another person.',
    file: 'src/domain/passkeys/verifyPresence.ts',
    before: 'return approvers.some((each) => each.kind === kind && each.did === did);',
    after: 'return approvers.some((each) => each.kind !== kind || each.did !== did || true);',
  },
  {
    name: 'passkey removed in vain',
    amid: 'people',
    breaks: 'A passkey that was removed approves as before.',
    file: 'src/operations/passkeys/listPasskeys.ts',
    before: '  remove: deletePasskey,\n',
    after: "  remove: function* () {\n    yield* deletePasskey('', '');\n  },\n",
  },
  {
    name: 'a yes after a no',
    amid: 'people',
    breaks: 'An assertion is taken though its request was decided before.',
    file: 'src/operations/approvals/decideApproval.ts',
    before:
      "  if (status !== 'pending') throw new Fault('CONFLICT', `This approval is ${status} already.`);\n  if (decision",
    after:
      "  if (status === 'expired') throw new Fault('CONFLICT', `This approval is ${status} already.`);\n  if (decision",
  },
  {
    name: 'presence proof used twice',
    amid: 'people',
    breaks: 'A proof of presence serves for as many carts as it is shown with.',
    file: 'src/domain/carts/checkPresence.ts',
    before:
      "  if (yield* wasPresenceUsed(intent.tenant_id, id)) return refused('The presence proof was used before.');\n",
    after: '',
  },
  {
    name: 'presence proof for any cart',
    amid: 'people',
    breaks: 'What a person approved for one cart counts for every other one of the intent.',
    file: 'protocol/presence.ts',
    before: '  if (proof.cartHash !== undefined && proof.cartHash !== expected.cartHash) {',
    after: '  if (proof.cartHash !== undefined && proof.cartHash === undefined) {',
  },
  {
    name: 'a no that ends nothing',
    amid: 'people',
    breaks: 'The intent of a purchase that a person denied stays, with the room that it takes.',
    file: 'src/domain/approvals/requestApproval.ts',
    before: "  if (status === 'denied') yield* endIntent(deps, intent, 'denied', now);\n",
    after: "  if (status === 'denied' && now < 0) yield* endIntent(deps, intent, 'denied', now);\n",
  },
  {
    name: 'asked again after a no',
    amid: 'people',
    breaks: 'A person is asked once more for a cart that they have denied.',
    file: 'src/domain/carts/judgeCart.ts',
    before: '  if (yield* wasCartDenied(intent.tenant_id, cart.hash, intent.principal_did)) return rejected;\n',
    after: '',
  },
  {
    name: 'one person for two',
    amid: 'people',
    breaks: 'Who approves a purchase twice, by two passkeys, counts as two people.',
    file: 'src/domain/approvals/quorum.ts',
    before: '  const others = counted.filter(({ by }) => by !== judged.person);\n',
    after: '  const others = counted.filter(({ hpId }) => hpId !== touch.hpId);\n',
  },
  {
    name: 'one touch for all',
    amid: 'people',
    breaks: 'The first touch approves, however many people the policy asks for.',
    file: 'src/operations/approvals/decideApproval.ts',
    before: 'isLast: touches.length >= circle.quorum.people };',
    after: 'isLast: touches.length >= Math.min(1, circle.quorum.people) };',
  },
];
