/**
 * I6 of decisions that agents are given: an approval in a task is what a passkey signed for exactly the request that the task told of, and
 * its enrolment says so of that agent and principal. Written from docs/reference/extensions/approval.md alone.
 */
import { createHash, createPublicKey } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import type { Happening, Violation } from '../history.ts';
import type { Calls } from './calls.ts';
import { type ShownTask, taskIn } from './gateAnswers.ts';
import { type Law, violated } from './law.ts';
import { signedFault } from './presenceLaw.ts';
import { membersOf } from './trail.ts';

const Binding = z.record(z.string(), z.unknown());
const Request = z.object({ id: z.string(), binding: Binding });
const Key = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() });
const Subject = z.object({ agentDid: z.string(), principalDid: z.string(), jwkThumbprint: z.string() });
const Decision = z.object({
  id: z.string(),
  outcome: z.enum(['approved', 'denied', 'expired', 'withdrawn']),
  binding: Binding.optional(),
  random: z.string().optional(),
  key: Key.optional(),
  assertion: z
    .object({
      credentialId: z.string(),
      authenticatorData: z.string(),
      clientDataJSON: z.string(),
      signature: z.string(),
    })
    .optional(),
  // A passkey that was removed has none.
  enrolment: z.object({ credentialSubject: Subject }).optional(),
});
type Decision = z.output<typeof Decision>;

export class DecisionLaw implements Law {
  readonly #calls: Calls;
  /** What each request was to sign, and where it was told. */
  readonly #requests = new Map<string, { readonly binding: string; readonly place: number }>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind !== 'answered' || this.#calls.find(happening.id) === undefined) return [];
    const task = taskIn(membersOf(happening.body)['result']);
    return task === undefined ? [] : [...this.#ask(task, place), ...this.#decide(task, place)];
  }

  #ask({ id: taskId, said }: ShownTask, place: number): readonly Violation[] {
    const given = said['approval.request'];
    if (given === undefined) return [];
    const { id, binding } = Request.parse(given);
    const text = String(canonicalize(binding));
    const before = this.#requests.get(id);
    this.#requests.set(id, before ?? { binding: text, place });
    if (before === undefined || before.binding === text) return [];
    return [violated('I6', `Task ${taskId} asks for another purchase under request ${id}.`, before.place, place)];
  }

  #decide(task: ShownTask, place: number): readonly Violation[] {
    const given = [task.said, task.artifacts].flatMap((data) => data['approval.decision'] ?? []);
    return given.flatMap((each) => {
      const decision = Decision.parse(each);
      const request = this.#requests.get(decision.id);
      const fault = decisionFault(decision, request?.binding);
      if (fault === undefined) return [];
      const sentence = `Task ${task.id} says that request ${decision.id} was ${decision.outcome}, though ${fault}.`;
      return [violated('I6', sentence, request?.place, place)];
    });
  }
}

/** @param asked canonical JSON of what the request was to sign; undefined where no outsider was told */
function decisionFault(decision: Decision, asked: string | undefined): string | undefined {
  const { outcome, binding, random, key, assertion, enrolment } = decision;
  if (assertion === undefined) return outcome === 'approved' ? 'no passkey signed it' : undefined;
  if (outcome === 'expired' || outcome === 'withdrawn') return 'a passkey signed a decision';
  if (binding === undefined || random === undefined || key === undefined) return 'what was signed is missing';
  const said = { approved: 'approve', denied: 'deny' }[outcome];
  if (binding['decision'] !== said) return `the person signed to ${binding['decision']}`;
  if (asked !== undefined && canonicalize({ ...binding, decision: 'approve' }) !== asked)
    return 'another purchase was signed';
  const fault = signedFault({ ...assertion, challenge: { random, binding } }, createPublicKey({ key, format: 'jwk' }));
  if (fault !== undefined || enrolment === undefined) return fault;
  const { agentDid, principalDid, jwkThumbprint } = enrolment.credentialSubject;
  if (agentDid !== binding['agentDid'] || principalDid !== binding['principalDid'])
    return 'its key is enrolled for others';
  const { crv, kty, x, y } = key;
  const thumbprint = createHash('sha256')
    .update(String(canonicalize({ crv, kty, x, y })))
    .digest('base64url');
  return jwkThumbprint === thumbprint ? undefined : 'another key is enrolled';
}
