/** How long a stream goes on: it waits for a receiver that does not read, and not for ever, and ends after twenty minutes. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { streamTask } from '../../../src/extensions/standard-a2a/gate/streamTask.ts';
import type { Gate } from '../../../src/gates/shell/gate.ts';

/** A response that takes nothing more until it is drained. */
class FullResponse extends EventEmitter {
  destroyed = false;
  readonly written: string[] = [];

  write(text: string): boolean {
    this.written.push(text);
    return false;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  end(): void {}
}

/** A response whose receiver reads at once. */
class ReadResponse extends FullResponse {
  override write(text: string): boolean {
    super.write(text);
    return true;
  }

  override end(text = ''): void {
    this.written.push(text);
  }
}

const task = { id: 'task_1', contextId: 'ctx_1', status: { state: 'TASK_STATE_WORKING', timestamp: '' } } as const;
const stream = {
  id: 1,
  dialect: '1.0',
  taskId: task.id,
  follower: { kind: 'did', id: 'did:key:z', tenantId: 'tnt_1' },
  first: { task },
  seq: 1,
  isOver: false,
  endsForInput: false,
} as const;

test('one that takes nothing for half a minute is cut off, and asked about no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const response = new FullResponse();
  let asked = 0;
  const core = {
    call: async () => {
      asked += 1;
      return { task, events: [], seq: 1, isOver: false, isSettled: false };
    },
  };
  const ended = streamTask(
    { core, isServing: () => true } as unknown as Gate,
    response as unknown as ServerResponse,
    stream,
  );
  t.mock.timers.tick(29_999);
  assert.equal(response.destroyed, false);
  t.mock.timers.tick(1);
  await ended;
  assert.deepEqual([response.destroyed, response.written.length, asked], [true, 1, 0]);
});

test('one that reads at last goes on, with nothing left to listen for what is over', async () => {
  const response = new FullResponse();
  const core = {
    call: async () => ({ task, events: [], seq: 1, isOver: response.written.length > 5, isSettled: false }),
  };
  const ended = streamTask(
    { core, isServing: () => true } as unknown as Gate,
    response as unknown as ServerResponse,
    stream,
  );
  const reading = setInterval(() => response.emit('drain'), 1);
  await ended;
  clearInterval(reading);
  assert.deepEqual([response.listenerCount('close'), response.listenerCount('drain')], [0, 0]);
});

test('one whose task goes on ends after twenty minutes, with an error as its last event', async () => {
  const response = new ReadResponse();
  let minutes = 0;
  const core = {
    call: async () => {
      minutes += 1;
      return { task, events: [], seq: 1, isOver: false, isSettled: false };
    },
  };
  await streamTask(
    { core, isServing: () => true } as unknown as Gate,
    response as unknown as ServerResponse,
    stream,
    () => minutes * 60_000,
  );
  assert.equal(minutes, 20);
  const last = JSON.parse(String(response.written.at(-1)).slice('data: '.length));
  assert.equal(last.error.code, -32603);
  assert.equal(last.error.data[0].reason, 'UNAVAILABLE');
  assert.match(last.error.message, /ends after 20 minutes; the task goes on, so subscribe to it again, or get it\.$/);
});
