/** What becomes of a call that went on, as the state file keeps it: until the node knows, over restarts, and among guards of one file. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { mock, test } from 'node:test';
import { CountersignError } from '../../../client/error.ts';
import { type CallOutcome, openStateFile, type StateFile } from '../../../src/extensions/guard/guardState.ts';
import { SentCalls } from '../../../src/extensions/guard/pipe/sentCalls.ts';
import { stateFileIn } from './doubles/guardedClient.ts';
import { ReservationDouble } from './doubles/reservationDouble.ts';

const PAID: CallOutcome = {
  kind: 'commit',
  evidence: { kind: 'confirmation', sha256: 'a'.repeat(64), reference: 'o_1', occurredAt: '2026-01-01T00:00:00.000Z' },
};
const DECLINED: CallOutcome = { kind: 'release', reason: 'declined' };
let keys = 0;

interface Guard {
  readonly sent: SentCalls;
  readonly lines: string[];
}

function guardOf(node: ReservationDouble, state: StateFile, running: readonly number[] = []): Guard {
  const lines: string[] = [];
  const sent = new SentCalls({
    ...{ node, state, now: Date.now, newKey: () => `run-${keys++}` },
    log: (line) => void lines.push(line),
    isRunning: (pid) => running.includes(pid),
  });
  return { sent, lines };
}

const settled = () => new Promise((done) => setImmediate(done));
const namesOf = (state: StateFile) => Object.keys(state.read().calls);
const ended = async (sent: SentCalls, state: StateFile) => {
  for (; namesOf(state).length > 0; sent.close()) await settled();
};

test('an outcome is on disk before the node is asked, and leaves it with what is written after its answer', async () => {
  const node = new ReservationDouble();
  const state = openStateFile(stateFileIn(), Date.now);
  const { sent } = guardOf(node, state);
  sent.begin('pm_1');
  assert.deepEqual(
    state.openCalls.all().map(({ mandateId }) => mandateId),
    ['pm_1'],
  );
  const commit = node.commit.bind(node);
  node.commit = async (...told) => {
    assert.deepEqual(state.read().calls['pm_1']?.outcome, PAID);
    return commit(...told);
  };
  assert.equal(await sent.tell('pm_1', PAID).fault, undefined);
  assert.deepEqual(state.openCalls.all(), []);
  assert.equal(sent.referenceOf('pm_1'), undefined);
  node.commit = commit;
  assert.equal(await sent.tell('pm_2', PAID).fault, undefined);
  assert.deepEqual(namesOf(state), ['pm_2']);
  sent.close();
  assert.deepEqual(namesOf(state), []);
  assert.equal(node.told.length, 2);
});

test('a guard that buys nothing more takes what was answered from the file after a second', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_790_000_000_000 });
  try {
    const state = openStateFile(stateFileIn(), Date.now);
    await guardOf(new ReservationDouble(), state).sent.tell('pm_1', PAID).fault;
    assert.deepEqual(namesOf(state), ['pm_1']);
    mock.timers.tick(1_000);
    assert.deepEqual(namesOf(state), []);
  } finally {
    mock.timers.reset();
  }
});

test('a guard that is started anew tells what the one before could not, once, by the same key', async () => {
  const node = new ReservationDouble();
  const file = stateFileIn();
  const state = openStateFile(file, Date.now);
  const first = guardOf(node, state);
  node.isAway = true;
  first.sent.begin('pm_1');
  assert.match(String(await first.sent.tell('pm_1', PAID).fault), /did not answer: that it was paid is told later/);
  first.sent.begin('pm_2');
  assert.equal(await first.sent.tell('pm_2', DECLINED).fault, undefined);
  node.isAway = false;
  const second = guardOf(node, openStateFile(file, Date.now));
  second.sent.resume();
  await ended(second.sent, state);
  assert.deepEqual(
    node.told.map(({ mandateId, what }) => `${mandateId} ${what}`),
    ['pm_1 commit', 'pm_2 release'],
  );
});

test('a call whose answer was not seen is said, and nothing is told of it', async () => {
  const node = new ReservationDouble();
  const file = stateFileIn();
  guardOf(node, openStateFile(file, Date.now)).sent.begin('pm_1');
  const second = guardOf(node, openStateFile(file, Date.now));
  second.sent.resume();
  assert.match(String(second.lines), /pm_1 was sent at .*: whether it paid is not known, it stays reserved/);
  await settled();
  assert.deepEqual(node.told, []);
});

test('a guard that was killed after the answer, and before it forgot it, tells it again by the same key', async () => {
  const node = new ReservationDouble();
  const file = stateFileIn();
  const keysSeen: string[] = [];
  const commit = node.commit.bind(node);
  node.commit = async (mandateId, paid, key) => {
    keysSeen.push(key);
    return commit(mandateId, paid, key);
  };
  const first = guardOf(node, openStateFile(file, Date.now));
  first.sent.begin('pm_1');
  const [open] = openStateFile(file, Date.now).openCalls.all();
  await first.sent.tell('pm_1', PAID).fault;
  // As it is where the guard is killed before the file of the call that it has answered for is gone.
  assert.ok(open);
  const state = openStateFile(file, Date.now);
  state.openCalls.begin(open);
  const { sent, lines } = guardOf(node, state);
  sent.resume();
  await ended(sent, state);
  assert.equal(keysSeen.length, 2);
  assert.equal(keysSeen[0], keysSeen[1]);
  assert.deepEqual([lines, state.openCalls.all()], [[], []]);
});

test('a guard leaves to another what that one still works on, while it runs', async () => {
  const node = new ReservationDouble();
  const state = openStateFile(stateFileIn(), Date.now);
  const other = process.pid + 1;
  const claim = { run: 'other', pid: other, until: Date.now() + 60_000 };
  state.change(({ calls }) => {
    calls['pm_1'] = { outcome: PAID, key: 'k', dueAt: 0, tries: 0, claim };
  });
  state.openCalls.begin({ mandateId: 'pm_2', sentAt: 0, claim });
  const beside = guardOf(node, state, [other]);
  beside.sent.resume();
  await settled();
  assert.deepEqual([node.told.length, beside.lines.length, namesOf(state).length], [0, 0, 1]);
  assert.equal(state.openCalls.all().length, 1);
  const { sent } = guardOf(node, state, []);
  sent.resume();
  await ended(sent, state);
  assert.equal(node.told.length, 1);
});

test('the node is asked again after growing pauses, as long as it is away', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_790_000_000_000 });
  try {
    const node = new ReservationDouble();
    const state = openStateFile(stateFileIn(), Date.now);
    const { sent } = guardOf(node, state);
    node.isAway = true;
    await sent.tell('pm_1', PAID).fault;
    for (const pause of [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000]) {
      const { tries } = state.read().calls['pm_1'] ?? { tries: 0 };
      mock.timers.tick(pause - 1);
      await settled();
      assert.equal(state.read().calls['pm_1']?.tries, tries, `before ${pause} ms`);
      mock.timers.tick(1);
      while (state.read().calls['pm_1']?.tries === tries) await settled();
      await settled();
    }
    node.isAway = false;
    mock.timers.tick(3_600_000);
    await ended(sent, state);
    assert.equal(node.told.length, 1);
  } finally {
    mock.timers.reset();
  }
});

test('a definitive no ends it and is logged; a key that the node does not take does not', async () => {
  const node = new ReservationDouble();
  const state = openStateFile(stateFileIn(), Date.now);
  const { sent, lines } = guardOf(node, state);
  const fault = (status: number) => async () => {
    throw new CountersignError('CODE', `It says ${status}.`, { status });
  };
  node.commit = fault(401);
  assert.equal(await sent.tell('pm_1', PAID).fault, 'It says 401.');
  assert.deepEqual(namesOf(state), ['pm_1']);
  node.commit = fault(409);
  assert.equal(await sent.tell('pm_2', PAID, { named: 'n' }).fault, 'It says 409.');
  assert.deepEqual(namesOf(state), ['pm_1']);
  assert.equal(state.read().retries['n'], 1);
  assert.deepEqual(lines, ['commit: It says 401. (pm_1)', 'commit: It says 409. (pm_2)']);
});

test('what was paid is not taken back by a later answer under the same name', async () => {
  const node = new ReservationDouble();
  const state = openStateFile(stateFileIn(), Date.now);
  const { sent } = guardOf(node, state);
  node.isAway = true;
  await sent.tell('pm_1', PAID).fault;
  sent.begin('pm_1');
  assert.equal(sent.referenceOf('pm_1'), 'o_1');
  node.isAway = false;
  await sent.tell('pm_1', DECLINED).fault;
  assert.deepEqual(
    node.told.map(({ what }) => what),
    ['commit'],
  );
});

test('what cannot be written is told all the same, and a call that cannot be kept is not begun', async () => {
  const node = new ReservationDouble();
  const file = stateFileIn();
  const state = openStateFile(file, Date.now);
  const { sent, lines } = guardOf(node, {
    read: state.read,
    change() {
      throw new Error('no space left');
    },
    openCalls: {
      ...state.openCalls,
      begin() {
        throw new Error('no space left');
      },
    },
  });
  assert.throws(() => sent.begin('pm_1'), /no space left/);
  assert.equal(await sent.tell('pm_1', PAID).fault, undefined);
  assert.equal(node.told.length, 1);
  assert.match(String(lines), /the state cannot be written: no space left/);
});

test('processes that change one state file at once lose no entry of one another', async () => {
  const file = stateFileIn();
  const writer = `
    import { openStateFile } from ${JSON.stringify(resolve('src/extensions/guard/guardState.ts'))};
    const state = openStateFile(process.argv[1], Date.now);
    for (let n = 0; n < 20; n++) state.change(({ retries }) => void (retries[process.argv[2] + n] = 1));`;
  const processes = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', writer, file, name], { stdio: 'inherit' }),
  );
  for (const [code] of await Promise.all(processes.map((each) => once(each, 'exit')))) assert.equal(code, 0);
  assert.equal(Object.keys(openStateFile(file, Date.now).read().retries).length, 60);
  assert.deepEqual(readdirSync(dirname(file)), ['guard.state.json']);
});

test('a lock that a killed guard left behind holds none up', () => {
  const file = stateFileIn();
  writeFileSync(`${file}.lock`, '');
  utimesSync(`${file}.lock`, new Date(0), new Date(0));
  openStateFile(file, Date.now).change(({ retries }) => {
    retries['a'] = 1;
  });
  assert.deepEqual(readdirSync(dirname(file)), ['guard.state.json']);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});
