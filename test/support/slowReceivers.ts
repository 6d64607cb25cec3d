/** Plays receivers of webhooks that answer just in time, just too late, and drop by drop. */
import assert from 'node:assert/strict';
import { type Behave, badServer, HEAD } from './badServer.ts';
import { engines } from './engines.ts';
import { attempts, subscribe } from './hooks.ts';
import { startReceiver } from './receiver.ts';
import { type Loose, makeWorld } from './world.ts';

/** @param time.timeoutMs of a delivery, whole seconds @param time.marginMs by which receivers stay below and above it */
export async function playSlowReceivers({
  timeoutMs,
  marginMs,
}: {
  timeoutMs: number;
  marginMs: number;
}): Promise<void> {
  const [engine] = engines().filter(({ name }) => name === 'sqlite');
  assert.ok(engine);
  const world = await makeWorld(engine, { WEBHOOK_TIMEOUT_SECONDS: String(timeoutMs / 1000) });
  const good = await startReceiver();
  const after =
    (ms: number): Behave =>
    (socket) =>
      void setTimeout(() => socket.end(`${HEAD}2\r\n\r\nok`), ms);
  const drip: Behave = (socket) => {
    socket.write(`${HEAD}1000000\r\n\r\n`);
    const timer = setInterval(() => socket.write('x'), timeoutMs / 60);
    socket.on('close', () => clearInterval(timer));
  };
  const behaviours = [after(timeoutMs - marginMs), after(timeoutMs + marginMs), drip];
  const servers = await Promise.all(behaviours.map(badServer));
  try {
    const hooks: Loose[] = [];
    for (const { url } of servers) hooks.push(await subscribe(world, url, ['agent.created']));
    await world.newAgent();
    await subscribe(world, good.url, ['agent.created']);
    for (let index = 0; index < 20; index++) {
      const started = Date.now();
      await world.newAgent();
      await good.wait(index + 1);
      assert.ok(Date.now() - started < 1000, 'the good receiver has to wait');
    }
    const first = async ({ id }: Loose) => (await attempts(world, id, 1, timeoutMs + 5000))[0];
    const [inTime, late, dripping] = await Promise.all(hooks.map(first));
    assert.deepEqual([inTime.outcome, inTime.status, inTime.answer], ['delivered', 200, 'ok']);
    assert.ok(inTime.duration >= timeoutMs - marginMs && inTime.duration < timeoutMs, `${inTime.duration}`);
    assert.deepEqual([late.outcome, late.status, late.error], ['retrying', 0, 'timeout']);
    assert.deepEqual([dripping.outcome, dripping.status, dripping.error], ['retrying', 200, 'timeout']);
    for (const { duration } of [late, dripping]) {
      // A timer may be early by its resolution.
      assert.ok(duration >= timeoutMs - 2 && duration < timeoutMs + marginMs, `${duration}`);
    }
  } finally {
    for (const { close } of servers) close();
    await good.close();
    await world.close();
  }
}
