/** The oracle on the other gates: of tasks, of tools and of sockets a history that holds, and ones that break it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Books, UNHEARD } from './history.ts';
import { Tale } from './oracle/handmade.ts';

const RULES = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };

type Members = Readonly<Record<string, unknown>>;

/** A tale whose books have tasks. */
class TaskTale {
  readonly tale = new Tale().policy(RULES).agent();
  readonly tasks = new Map<string, Members>();

  /** A task as it is shown, in the words of 1.0. */
  task(id: string, state: string, data: Members = {}): Members {
    const artifacts = Object.entries(data).map(([name, value]) => ({ parts: [{ data: { [name]: value } }] }));
    const task = { id, status: { state: `TASK_STATE_${state}` }, artifacts };
    this.tasks.set(id, task);
    return task;
  }

  /** A call that is answered with a task. */
  ask(call: string, task: Members, more: Members = {}): number {
    const body = { jsonrpc: '2.0', id: 1, result: { task } };
    return this.tale.ask(call, { id: task['id'] }, { body }, { did: 'did:key:zA', ...more });
  }

  /** A purchase that was allowed and paid. @returns the task's data */
  paid(): Members {
    const intent = this.tale.intent(30);
    const paid = this.tale.pay(this.tale.cart(intent, 20));
    const credentialSubject = { mandateId: intent, agentDid: 'did:key:zA', maxAmount: 30, currency: 'USD' };
    return {
      'countersign.intentResult': { allowed: true, intentVc: { credentialSubject } },
      'countersign.paymentResult': this.tale.paid(paid),
    };
  }

  said(): readonly string[] {
    const { payments, intents, rail, events, deliveries, checkpoints } = this.tale;
    const [allPayments, allIntents, allRail, tasks] = [payments, intents, rail, this.tasks].map((map) => [
      ...map.values(),
    ]);
    const books = { payments: allPayments, intents: allIntents, rail: allRail, tasks, events, deliveries, checkpoints };
    this.tale.tell({ at: this.tale.at, kind: 'quiet', books: books as unknown as Books });
    return this.tale.found.map(({ invariant, sentence }) => `${invariant} ${sentence}`);
  }
}

function only(said: readonly string[], expected: RegExp): void {
  assert.ok(
    said.some((each) => expected.test(each)),
    `no ${expected} in:\n${said.join('\n')}`,
  );
}

test('tasks that end as the books say violate nothing', () => {
  const tale = new TaskTale();
  const data = tale.paid();
  tale.ask('purchaseCart', tale.task('task_1', 'WORKING'), { key: 'msg-1' });
  tale.ask('purchaseCart', tale.task('task_1', 'COMPLETED', data), { key: 'msg-1' });
  tale.ask('getTask', tale.task('task_1', 'COMPLETED', data));
  assert.deepEqual(tale.said(), []);
});

test('I2: a message that leads to two tasks, and a payment of two tasks, are violations', () => {
  const twice = new TaskTale();
  twice.ask('issueIntent', twice.task('task_1', 'REJECTED'), { key: 'msg-1' });
  twice.ask('issueIntent', twice.task('task_2', 'REJECTED'), { key: 'msg-1' });
  only(twice.said(), /^I2 One message led to two tasks, task_1 and task_2/);
  const both = new TaskTale();
  const data = both.paid();
  for (const id of ['task_1', 'task_2']) both.ask('getTask', both.task(id, 'COMPLETED', data));
  only(both.said(), /^I2 Payment pm_\d+ is that of two tasks/);
});

test('I8: a task that never ends, and a frame that is never answered, are violations', () => {
  const tale = new TaskTale();
  tale.ask('getTask', tale.task('task_1', 'INPUT_REQUIRED'));
  only(tale.said(), /^I8 Task task_1 is INPUT_REQUIRED, though all is at rest/);
  const { tale: socket } = new TaskTale();
  const id = socket.ask('issueIntent', { agentDid: 'did:key:zA' });
  socket.tell({ at: socket.at, kind: 'unanswered', id, why: UNHEARD });
  assert.match(String(socket.found[0]?.sentence), /got no answer on a connection that stayed/);
});

test('I5: a task that ended and changes, that is gone, or that says another payment than the books, is a violation', () => {
  const changed = new TaskTale();
  changed.ask('getTask', changed.task('task_1', 'CANCELED'));
  changed.ask('getTask', changed.task('task_1', 'COMPLETED'));
  only(changed.said(), /^I5 Task task_1 was CANCELED and became COMPLETED/);
  const gone = new TaskTale();
  gone.ask('getTask', gone.task('task_1', 'COMPLETED'));
  gone.tasks.clear();
  only(gone.said(), /^I5 Task task_1 is there no more/);
  const failed = new TaskTale();
  failed.ask('getTask', failed.task('task_1', 'FAILED', failed.paid()));
  only(failed.said(), /^I5 Task task_1 is FAILED, and its payment pm_\d+ AUTHORIZED/);
  const refused = new TaskTale();
  const { 'countersign.paymentResult': _, ...intentOnly } = refused.paid();
  refused.ask('getTask', refused.task('task_1', 'REJECTED', intentOnly));
  only(refused.said(), /^I5 Task task_1 is REJECTED, and payment pm_\d+ was made for it/);
});

test('I5: the intent of a task that was withdrawn ends with it, and not later', () => {
  for (const isLate of [false, true]) {
    const tale = new TaskTale();
    const intent = tale.tale.intent(30);
    const credentialSubject = { mandateId: intent, agentDid: 'did:key:zA', maxAmount: 30, currency: 'USD' };
    const data = { 'countersign.intentResult': { allowed: true, intentVc: { credentialSubject } } };
    const end = () => tale.tale.record('INTENT_EXPIRED', { mandateId: intent });
    if (!isLate) end();
    tale.ask('cancelTask', tale.task('task_1', 'CANCELED', data));
    tale.tale.agent('did:key:zB');
    if (isLate) end();
    tale.tale.intents.set(intent, { mandateId: intent, agentDid: 'did:key:zA', status: 'EXPIRED' });
    if (isLate) only(tale.said(), /^I5 Task task_1 was withdrawn, and its intent intent_\d+ went on/);
    else assert.deepEqual(tale.said(), []);
  }
});

test('I6: an intent for another principal than its asker named is a violation, at whichever gate', () => {
  const { tale } = new TaskTale();
  tale.intent(10, { asked: { principalDid: 'did:key:zOther' } });
  only(
    tale.quiet().map(({ invariant, sentence }) => `${invariant} ${sentence}`),
    /^I6 .* led to an intent for did:key:zP at any merchant, and it had named did:key:zOther/,
  );
});

test('I6: an approval that no passkey signed, and a decision of a request that expired by one, are violations', () => {
  const tale = new TaskTale();
  tale.ask('getTask', tale.task('task_1', 'COMPLETED', { 'approval.decision': { id: 'apr_1', outcome: 'approved' } }));
  const touch = { credentialId: 'c', authenticatorData: 'AA', clientDataJSON: 'e30', signature: 'AA' };
  const late = { id: 'apr_2', outcome: 'expired', assertion: touch };
  tale.ask('getTask', tale.task('task_2', 'REJECTED', { 'approval.decision': late }));
  assert.deepEqual(
    tale.said().filter((each) => each.startsWith('I6')),
    [
      'I6 Task task_1 says that request apr_1 was approved, though no passkey signed it.',
      'I6 Task task_2 says that request apr_2 was expired, though a passkey signed a decision.',
    ],
  );
});

test('I6: one request that asks for two purchases is a violation', () => {
  const tale = new TaskTale();
  const asks = (amount: number) => {
    const data = { 'approval.request': { id: 'apr_1', binding: { amount, decision: 'approve' } } };
    const message = { parts: [{ data }] };
    tale.ask('getTask', {
      id: `task_${amount}`,
      status: { state: 'TASK_STATE_AUTH_REQUIRED', message },
      artifacts: [],
    });
  };
  asks(1);
  asks(2);
  assert.match(tale.said().join(), /I6 Task task_2 asks for another purchase under request apr_1/);
});
