/** What a client listens to before servers that do not know the request, or are silent: the guard tells of what it knows itself. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { ListenStreams } from '../../../src/extensions/guard/pipe/listenStreams.ts';
import { type RpcMessage, UpstreamLink } from '../../../src/extensions/guard/pipe/upstreamLink.ts';

const KEY = 'io.modelcontextprotocol/subscriptionId';

/** @param answer what the server says to each message; undefined for nothing */
async function serverThat(answer: (message: RpcMessage) => RpcMessage | undefined) {
  const [transport, wire] = InMemoryTransport.createLinkedPair();
  const reached: RpcMessage[] = [];
  wire.onmessage = (message) => {
    reached.push(message as RpcMessage);
    const said = answer(message as RpcMessage);
    if (said !== undefined) void wire.send(said as never);
  };
  await wire.start();
  let take = (_message: RpcMessage) => {};
  const link = new UpstreamLink('shop', transport, {
    onMessage: (each) => take(each),
    onClose: () => {},
    log: () => {},
  });
  await link.start();
  const sent: RpcMessage[] = [];
  const streams = new ListenStreams([link], (message) => void sent.push(message));
  take = (message) => void streams.take(link, message);
  const listen = (notifications: object, id = 'listen:0') =>
    streams.listen({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications } }, id);
  return { streams, listen, sent, reached };
}

const settled = () => new Promise((done) => setImmediate(done));
const acknowledged = (notifications: object, id = 'listen:0') => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: { [KEY]: id } },
});
const all = { toolsListChanged: true, promptsListChanged: true };

describe('a stream that a client listens to', () => {
  test('is of tools alone before a server that does not know the request, and lasts until its client ends it', async () => {
    const { streams, listen, sent, reached } = await serverThat(({ id }) =>
      id === undefined ? undefined : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
    );
    const ended = listen(all);
    await settled();
    assert.deepEqual(sent, [acknowledged({ toolsListChanged: true })]);
    streams.toolsChanged();
    assert.deepEqual(sent[1], {
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [KEY]: 'listen:0' } },
    });
    streams.cancel('listen:0');
    assert.deepEqual(await ended, { result: { resultType: 'complete', _meta: { [KEY]: 'listen:0' } } });
    streams.toolsChanged();
    assert.equal(sent.length, 2, 'what ended is told nothing more');
    assert.equal(reached.length, 1, 'what was refused is not canceled');
  });

  test('is of tools alone before a server that says nothing for five seconds, and is canceled there', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { streams, listen, sent, reached } = await serverThat(() => undefined);
    const ended = listen(all);
    await settled();
    assert.deepEqual(sent, [], 'what it tells of is not known yet');
    t.mock.timers.tick(5_000);
    await settled();
    assert.deepEqual(sent, [acknowledged({ toolsListChanged: true })]);
    streams.cancel('listen:0');
    await ended;
    await settled();
    const [asked, canceled] = reached;
    assert.deepEqual(canceled?.params, { requestId: asked?.id });
  });

  test('that its client gives up before it is acknowledged is never told of anything', async () => {
    const { streams, listen, sent } = await serverThat(() => undefined);
    const ended = listen(all);
    streams.cancel('listen:0');
    await ended;
    assert.deepEqual(sent, []);
  });

  test('has an id of its own, and there are 100 at most', async () => {
    const { streams, listen } = await serverThat(() => undefined);
    const open = Array.from({ length: 100 }, (_, at) => listen(all, `listen:${at}`));
    for (const id of ['listen:0', 'listen:100'])
      assert.match(String((await listen(all, id)).error?.message), /There are 100 streams at most/);
    for (let at = 0; at < 100; at++) streams.cancel(`listen:${at}`);
    await Promise.all(open);
    const again = listen(all);
    streams.cancel('listen:0');
    assert.ok((await again).result);
  });
});
