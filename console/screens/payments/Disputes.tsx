/** The disputes of a payment: how much each is about, until when it is answered, and what answers it. */
import { useState } from 'preact/hooks';
import type { Dispute, PaymentRecord } from '../../../client/operations.ts';
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { isOwner, may } from '../../login/may.ts';
import { saveDisputePack } from '../../node/files.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { LongField } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { say } from '../../parts/toasts.ts';
import { amountText } from '../../parts/values/amount.ts';
import { Left } from '../../parts/values/Left.tsx';
import { Money } from '../../parts/values/Money.tsx';
import { dayTitle, exactText } from '../../parts/values/moment.ts';
import { When } from '../../parts/values/When.tsx';

const STANDS: Readonly<Record<Dispute['status'], string>> = {
  needs_response: 'waits for an answer',
  under_review: 'is with the bank',
  won: 'was won',
  lost: 'was lost',
  inquiry: 'is a question of the bank',
  inquiry_closed: 'was a question of the bank',
};

interface DisputesProps {
  readonly payment: PaymentRecord;
  /** What happened to it, once that is loaded. */
  readonly events: readonly EvidenceEvent[] | undefined;
  onDone(): void;
}

export function Disputes({ payment, events = [], onDone }: DisputesProps) {
  const { mandateId, rail, disputes } = payment;
  if (disputes.length === 0) return null;
  return (
    <Card title={disputes.length === 1 ? 'Dispute' : 'Disputes'}>
      {disputes.map((dispute) => (
        <div key={dispute.id} class="dispute">
          <Standing dispute={dispute} answered={answerTo(dispute, events)} />
          {may('admin') && dispute.closedAt === undefined && <Answer dispute={dispute} rail={rail} onDone={onDone} />}
        </div>
      ))}
      <p class="quiet">
        The dispute pack has a page to print: what was asked, decided and approved, and what the merchant signed.
      </p>
      <div class="buttons">
        <Button onClick={() => saveDisputePack(mandateId)}>Download the dispute pack</Button>
      </div>
    </Card>
  );
}

/** The last one: the rail tells of its end, and of no answer. */
function answerTo({ id }: Dispute, events: readonly EvidenceEvent[]): EvidenceEvent | undefined {
  return events.findLast(
    ({ eventType, data }) => eventType === 'PAYMENT_DISPUTE_SUBMITTED' && data['disputeId'] === id,
  );
}

interface StandingProps {
  readonly dispute: Dispute;
  readonly answered: EvidenceEvent | undefined;
}

function Standing({ dispute, answered }: StandingProps) {
  const { amount, currency, status, reason, dueBy, openedAt, closedAt } = dispute;
  return (
    <>
      <p>
        <Money amount={amount} currency={currency} /> {STANDS[status]}
        {reason !== undefined && <span class="quiet">, reason: {reason.replaceAll('_', ' ')}</span>}
      </p>
      {status === 'needs_response' && dueBy !== undefined && (
        <p title={exactText(dueBy)}>
          <strong>
            Answer by {dayTitle(dueBy)}, <Left until={dueBy} />
          </strong>
        </p>
      )}
      {answered !== undefined && (
        <p>
          Answered <When time={answered.createdAt} inLink />: {String(answered.data['note'])}
        </p>
      )}
      <p class="quiet">
        {closedAt === undefined ? 'Opened' : 'Closed'} <When time={closedAt ?? openedAt} inLink />
      </p>
    </>
  );
}

interface AnswerProps {
  readonly dispute: Dispute;
  readonly rail: string;
  onDone(): void;
}

/** What is done about one that is open. */
function Answer({ dispute: { id, amount, currency }, rail, onDone }: AnswerProps) {
  const health = useLoaded('dispute rails', (signal) => node.showHealth({}, { signal }), []);
  const takesEvidence = health.value?.rails.some(({ name, takesEvidence: takes }) => name === rail && takes);
  const stage = async () => {
    await node.answerDispute({ id });
    say('Staged. Look at it at the rail, add files there, and submit it.');
  };
  const submit = async () => {
    await node.answerDispute({ id, submit: true });
    say('Submitted. The bank has it now.');
    onDone();
  };
  // All at once: none moves under a finger.
  if (health.value === undefined && health.error === undefined) return null;
  return (
    <div class="buttons">
      {takesEvidence && <Button onClick={stage}>Stage the evidence</Button>}
      {takesEvidence && isOwner() && (
        <RiskyButton act="Submit to the bank" of="as it is" onConfirm={submit}>
          The bank gets what the node knows of these {amountText(amount, currency)}, without another file. That can be
          done once, and nothing can be added afterwards.
        </RiskyButton>
      )}
      <SheetButton act="It was answered…" title="The dispute was answered">
        {(close) => <Submission id={id} onDone={onDone} onLeave={close} />}
      </SheetButton>
    </div>
  );
}

interface SubmissionProps {
  readonly id: string;
  onDone(): void;
  onLeave(): void;
}

/** A person has answered it elsewhere, and says so. */
function Submission({ id, onDone, onLeave }: SubmissionProps) {
  const [note, setNote] = useState('');
  const keep = async () => {
    await node.submitDispute({ id, note });
    say('Recorded, in the evidence too.');
    onLeave();
    onDone();
  };
  return (
    <Form act="Record the answer" disabled={note.trim() === ''} onSubmit={keep} onLeave={onLeave}>
      <p>The rail does not tell the node of an answer. Say what was sent, and where.</p>
      <LongField label="What was sent, and where" name="note" value={note} onInput={setNote} maxLength={500} />
    </Form>
  );
}
