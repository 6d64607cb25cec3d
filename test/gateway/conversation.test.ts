/** The frames of one socket, when the node is asked to stop: those under way are answered, within a time, and no others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import WebSocket, { WebSocketServer } from 'ws';
import { type Conversation, converse } from '../../src/gates/a2a/conversation.ts';

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

/** A peer in conversation with `answer`. */
async function inConversation(t: TestContext, answer: (frame: string) => Promise<string>) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  t.after(() => server.close());
  const accepted = new Promise<Conversation>((resolve) => {
    server.once('connection', (socket) => {
      const answered = async (frame: Buffer) => ({ text: await answer(frame.toString()), failed: false });
      resolve(converse(socket, answered));
    });
  });
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(peer, 'open');
  const answers: string[] = [];
  peer.on('message', (data) => answers.push(data.toString()));
  const closed = once(peer, 'close').then(([code]) => code as number);
  return { peer, answers, closed, conversation: await accepted };
}

test('a frame that is never answered does not hold up the stop', async (t) => {
  const asked = deferred<void>();
  const { peer, closed, conversation } = await inConversation(t, () => {
    asked.resolve();
    return new Promise(() => {});
  });
  peer.send('for ever');
  await asked.promise;
  await conversation.end(2100);
  assert.equal(await closed, 1001);
});

test('a frame that comes after the stop began is neither run nor answered', async (t) => {
  const asked = deferred<void>();
  const held = deferred<string>();
  const run: string[] = [];
  const { peer, answers, closed, conversation } = await inConversation(t, (frame) => {
    run.push(frame);
    asked.resolve();
    return held.promise;
  });
  peer.send('before');
  await asked.promise;
  const ended = conversation.end(60_000);
  for (let i = 0; i < 40; i++) peer.send('after');
  // The answer to a ping says that the frames before it were read.
  const read = once(peer, 'pong');
  peer.ping();
  await read;
  held.resolve('done');
  assert.equal(await closed, 1001);
  await ended;
  assert.deepEqual(run, ['before']);
  assert.deepEqual(answers, ['done']);
});

test('a frame whose answer fails unforeseen closes its socket with 1011, and ends nothing else', async (t) => {
  const { peer, closed } = await inConversation(t, () => Promise.reject(new Error('a secret')));
  peer.send('anything');
  assert.equal(await closed, 1011);
});
