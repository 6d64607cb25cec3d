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
    show,
    answer(id: string, form: Form): object {
      const dispute = find(id);
      if (dispute.isSubmitted) {
        throw new Refusal(400, { type: 'invalid_request_error', message: 'This dispute is already submitted.' });
      }
      dispute.evidence = { ...dispute.evidence, ...(form['evidence'] as Form) };
      // Submitted is what Stripe does unless it is told otherwise.
      dispute.isSubmitted = form['submit'] !== 'false';
      return show(id);
    },
  };

  function find(id: string): GivenEvidence {
    const dispute = given.get(id);
    if (dispute !== undefined) return dispute;
    throw new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such dispute.' });
  }

  function show(id: string) {
    const { evidence, isSubmitted } = find(id);
    const details = { has_evidence: Object.keys(evidence).length > 0, submission_count: isSubmitted ? 1 : 0 };
    return { id, object: 'dispute', evidence, evidence_details: details };
  }
}
