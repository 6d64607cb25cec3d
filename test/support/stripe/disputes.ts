/** Evidence of disputes at the double of Stripe: staged as often as one likes, and submitted once. */
import type { Form } from './form.ts';
import { Refusal } from './refusal.ts';

interface GivenEvidence {
  evidence: Form;
  isSubmitted: boolean;
}

export function disputeStore() {
  const given = new Map<string, GivenEvidence>();
  return {
    given,
    open: (id: string) => void given.set(id, { evidence: {}, isSubmitted: false }),
    answer(id: string, form: Form): object {
      const dispute = given.get(id);
      if (dispute === undefined) {
        throw new Refusal(404, {
          type: 'invalid_request_error',
          code: 'resource_missing',
          message: 'No such dispute.',
        });
      }
      if (dispute.isSubmitted) {
        throw new Refusal(400, { type: 'invalid_request_error', message: 'This dispute is already submitted.' });
      }
      dispute.evidence = { ...dispute.evidence, ...(form['evidence'] as Form) };
      // Submitted is what Stripe does unless it is told otherwise.
      dispute.isSubmitted = form['submit'] !== 'false';
      return { id, object: 'dispute', evidence: dispute.evidence };
    },
  };
}
