/** What two threads say to each other: in order, in batches, with every kind of failure told. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Core } from '../../src/core/core.ts';
import { linkOver, MOST_ITEMS, type ThreadChannel, type ThreadLink } from '../../src/core/link.ts';
import { answersOf, remoteCore } from '../../src/core/remoteCore.ts';
import type { CoreReply } from '../../src/core/serveRequest.ts';
import { ByteStream } from '../../src/usecase/byteStream.ts';

type Answer = (name: string, given: readonly unknown[]) => Promise<unknown>;

const nothing: Answer = async () => undefined;
const verdict = { allowed: true, limit: 1, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 };

/** Two ends of a channel; `messages` counts what the first one sent. */
async function withLink(
  answer: Answer,
  run: (link: ThreadLink, messages: () => number) => Promise<void>,
): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let messages = 0;
  const channel = (port: typeof port1, isCounted: boolean): ThreadChannel => ({
    send(items) {
      if (isCounted) messages += 1;
      port.postMessage(items);
    },
    onMessage: (take) => void port.on('message', take),
  });
  const link = linkOver(channel(port1, true), nothing);
  linkOver(channel(port2, false), answer);
  try {
    await run(link, () => messages);
  } finally {
    port1.close();
  }
}

describe('a link', () => {
  test('gives each caller its own answer, whichever is ready first', () =>
    withLink(
      async (name, [wait]) => {
        for (let turns = wait as number; turns > 0; turns -= 1) await new Promise(setImmediate);
        return `${name} ${wait}`;
      },
      async (link) => {
        const answers = await Promise.all([5, 0, 2].map((wait) => link.ask('after', wait)));
        assert.deepEqual(answers, ['after 5', 'after 0', 'after 2']);
      },
    ));

  test('says what is asked in one turn in messages of a few items, and the first of them at once', () =>
    withLink(nothing, async (link, messages) => {
      const few = Array.from({ length: MOST_ITEMS - 1 }, () => link.ask('anything'));
      assert.equal(messages(), 0);
      await Promise.all(few);
      assert.equal(messages(), 1);

      const more = Array.from({ length: 2 * MOST_ITEMS + 4 }, () => link.ask('anything'));
      assert.equal(messages(), 1 + 2);
      await Promise.all(more);
      assert.equal(messages(), 1 + 3);
    }));

  test('throws a fault with its code and details, and any other error with its words and trace', () =>
    withLink(
      async (name) => {
        if (name === 'fault') throw new Fault('NOT_FOUND', 'Not here.', [{ path: 'id', message: 'is unknown' }]);
        throw Object.assign(new Error('reply'), { code: 'EADDRINUSE' });
      },
      async (link) => {
        await assert.rejects(link.ask('fault'), (error: unknown) => {
          assert.ok(error instanceof Fault);
          assert.equal(error.code, 'NOT_FOUND');
          assert.deepEqual(error.details, [{ path: 'id', message: 'is unknown' }]);
          return true;
        });
        await assert.rejects(link.ask('error'), (error: NodeJS.ErrnoException) => {
          assert.equal(error.message, 'reply');
          assert.equal(error.code, 'EADDRINUSE');
          assert.match(String(error.stack), /link\.test/);
          return !(error instanceof Fault);
        });
      },
    ));

  test('fails calls that wait and later ones once the other end is lost', () =>
    withLink(
      () => new Promise(() => {}),
      async (link) => {
        const waiting = assert.rejects(link.ask('for ever'), /gone/);
        await new Promise(setImmediate);
        link.lose(new Error('gone'));
        await waiting;
        await assert.rejects(link.ask('again'), /gone/);
      },
    ));
});

describe('a long answer', () => {
  /** A core whose one answer comes in pieces, and what became of them. */
  function coreOf(pieces: () => AsyncGenerator<string>): Core {
    const reply: CoreReply = { verdict, body: new ByteStream('text/csv', pieces()) };
    return { call: async () => reply as never };
  }

  const ask = async (link: ThreadLink): Promise<ByteStream> => {
    const { body } = await remoteCore(link).call('takeRequest', {} as never);
    assert.ok(body instanceof ByteStream);
    return body;
  };

  test('crosses piece by piece, the next one made when it is asked for', async () => {
    let made = 0;
    const core = coreOf(async function* () {
      for (; made < 3; made += 1) yield `piece ${made}\n`;
    });
    await withLink(answersOf(core), async (link) => {
      const { contentType, pieces } = await ask(link);
      assert.equal(contentType, 'text/csv');
      let text = '';
      for await (const piece of pieces) {
        text += piece;
        assert.equal(text.split('\n').length - 1, made + 1);
      }
      assert.equal(text, 'piece 0\npiece 1\npiece 2\n');
    });
  });

  test('ends in the core when its reader goes, after some pieces or before the first', async () => {
    for (const read of [1, 0]) {
      let isOpen = true;
      const core = coreOf(async function* () {
        try {
          for (;;) yield 'more';
        } finally {
          isOpen = false;
        }
      });
      await withLink(answersOf(core), async (link) => {
        const pieces = (await ask(link)).pieces[Symbol.asyncIterator]();
        for (let count = 0; count < read; count += 1) await pieces.next();
        await pieces.return?.();
        assert.deepEqual(await pieces.next(), { done: true, value: undefined });
      });
      // A generator that never began has nothing to end.
      assert.equal(isOpen, read === 0);
    }
  });
});
