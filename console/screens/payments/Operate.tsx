/** Capture, cancel and refund, in the states in which each is possible. */
import { useMemo, useState } from 'preact/hooks';
import type { PaymentRecord } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { onceFor } from '../../node/onceFor.ts';
import { askRailAgain, isOpen } from '../../node/reconcile.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say } from '../../parts/toasts.ts';
import { amountText } from '../../parts/values/amount.ts';

interface Operation {
  readonly name: string;
  /** What its button says where there is no amount, and what is said afterwards. */
  readonly act: string;
  readonly done: string;
  readonly explanation: string;
  /** The most it may be about; it is about the whole where there is none. */
  readonly most?: number;
  run(input: { mandateId: string; amount?: number }, idempotencyKey: string): Promise<unknown>;
}

interface OperateProps {
  readonly payment: PaymentRecord;
  onDone(): void;
}

export function Operate({ payment, onDone }: OperateProps) {
  const [open, setOpen] = useState<Operation>();
  const operations = may('write') ? operationsOf(payment) : [];
  // Of a payment elsewhere no rail knows more than the node.
  const mayAsk = may('write') && payment.rail !== ELSEWHERE && isOpen(payment);
  if (operations.length === 0 && !mayAsk) return null;
  const ask = async () => {
    const sentence = await askRailAgain(payment.mandateId);
    onDone();
    say(sentence);
  };
  return (
    <Card title="Actions">
      <div class="buttons">
        {mayAsk && <Button onClick={ask}>Ask the rail again</Button>}
        {operations.map((operation) => (
          <Button key={operation.name} onClick={() => setOpen(operation)}>
            {operation.name}…
          </Button>
        ))}
      </div>
      {open !== undefined && (
        <Question
          operation={open}
          payment={payment}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined);
            onDone();
          }}
        />
      )}
    </Card>
  );
}

const ELSEWHERE = 'EXTERNAL_RAIL';
const NOTE = 'Told in the console.';

function operationsOf({
  status,
  amount,
  captured,
  refunded,
  disputed,
  rail,
  attention,
  currency,
}: PaymentRecord): readonly Operation[] {
  const capture: Operation = {
    name: 'Capture',
    act: 'Capture',
    done: 'Captured.',
    explanation: 'Takes the money that is reserved, or part of it; the rest is released.',
    most: amount,
    run: (input, idempotencyKey) => node.capturePayment(input, { idempotencyKey }),
  };
  const cancel: Operation = {
    name: 'Cancel',
    act: 'Cancel the payment',
    done: 'Canceled.',
    explanation: 'Releases what is reserved. Nothing is paid, and this cannot be undone.',
    run: ({ mandateId }, idempotencyKey) => node.cancelPayment({ mandateId }, { idempotencyKey }),
  };
  const refund: Operation = {
    name: 'Refund',
    act: 'Refund',
    done: 'Refunded.',
    explanation: `Sends money back to where it came from. This cannot be undone.${
      disputed > 0 ? ' The bank may have taken the disputed amount already.' : ''
    }`,
    most: captured - refunded,
    run: (input, idempotencyKey) => node.refundPayment(input, { idempotencyKey }),
  };
  const isElsewhere = rail === ELSEWHERE;
  const isHeld = status === 'AUTHORIZED' || (isElsewhere && status === 'UNKNOWN');
  // What a server asked by HTTP is captured and refunded by its merchant alone; of the two, a token can be taken back.
  if (isElsewhere || rail === 'SPT_RAIL' || rail === 'X402_RAIL') {
    if (isHeld) return [...(rail === 'SPT_RAIL' ? [cancel] : []), ...(may('admin') ? settled(amount) : [])];
    if (!isElsewhere) return [];
  }
  const seen =
    may('admin') && isElsewhere && attention !== undefined ? [confirmed(status, amountText(captured, currency))] : [];
  if (status === 'CANCELED' && isElsewhere && may('admin')) return [...settled(amount).slice(0, 1), ...seen];
  if (status === 'AUTHORIZED') return [capture, cancel];
  const isPaid = status === 'CAPTURED' || status === 'PARTIALLY_REFUNDED' || status === 'DISPUTED';
  return [...seen, ...(isPaid && captured > refunded ? [refund] : [])];
}

/** What was left to a person of a payment that has ended. */
function confirmed(status: PaymentRecord['status'], paid: string): Operation {
  return {
    name: 'It is as it stands here',
    act: 'Keep it so',
    done: 'It is settled.',
    explanation: `You have looked where it was paid. It counts as ${paid} paid, and asks for no look any more.`,
    run: ({ mandateId }) =>
      node.settlePayment({ mandateId, status: status === 'CANCELED' ? status : 'CAPTURED', note: NOTE }),
  };
}

/** What an owner says of a payment that the node hears of in words alone. */
function settled(most: number): readonly Operation[] {
  return [
    {
      name: 'It was paid',
      act: 'Paid',
      done: 'It counts as paid.',
      explanation: 'You know that the money was taken. The rest of what is reserved is released.',
      most,
      run: (input) => node.settlePayment({ ...input, status: 'CAPTURED', note: NOTE }),
    },
    {
      name: 'It was not paid',
      act: 'Release the amount',
      done: 'Released.',
      explanation: 'You know that no money was taken, and that none will be. What is reserved is released.',
      run: (input) => node.settlePayment({ ...input, status: 'CANCELED', note: NOTE }),
    },
  ];
}

interface QuestionProps extends OperateProps {
  readonly operation: Operation;
  onClose(): void;
}

function Question({ operation, payment, onClose, onDone }: QuestionProps) {
  const { name, act: word, done, explanation, most, run } = operation;
  const { currency, mandateId, merchant } = payment;
  const [text, setText] = useState(most === undefined ? '' : String(Number(most.toFixed(4))));
  const amount = Number(text);
  const isAmount = most === undefined || (text.trim() !== '' && amount > 0 && amount <= most + 1e-9);
  // Money moves once, also where an answer is lost.
  const askOnce = useMemo(onceFor, []);
  const act = async () => {
    const input = { mandateId, ...(most === undefined ? {} : { amount }) };
    await askOnce(input, (idempotencyKey) => run(input, idempotencyKey));
    say(done);
    onDone();
  };
  return (
    <Sheet title={`${name} at ${merchant}`} onClose={onClose}>
      <p>{explanation}</p>
      <Form
        act={most === undefined ? word : `${word} ${isAmount ? amountText(amount, currency) : ''}`}
        disabled={!isAmount}
        onSubmit={act}
        onLeave={onClose}
      >
        {most !== undefined && (
          <Field
            label={`Amount in ${currency}`}
            name="amount"
            value={text}
            onInput={setText}
            hint={isAmount ? undefined : `An amount up to ${amountText(most, currency)}.`}
            input={{ inputMode: 'decimal', autoComplete: 'off' }}
          />
        )}
      </Form>
    </Sheet>
  );
}
