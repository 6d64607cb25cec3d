/** Webhooks of a world, for tests: subscriptions made, and the log read until it says enough. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Receiver } from './receiver.ts';
import type { Loose, World } from './world.ts';

export const HOOKS = '/ap2/admin/webhooks';

/** @returns the subscription with its secret */
export async function subscribe(
  world: World,
  url: string,
  events: readonly string[],
  extra: object = {},
): Promise<Loose> {
  const made = await world.rest('POST', HOOKS, { url, events, ...extra });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** The attempts at one subscription, oldest first, once there are so many. */
export async function attempts(world: World, webhookId: string, count: number, patienceMs = 10_000): Promise<Loose[]> {
  for (let waited = 0; ; waited += 20) {
    const { body } = await world.rest('GET', `${HOOKS}/logs?limit=200&webhookId=${webhookId}`);
    if (body.logs.length >= count) return body.logs.reverse();
    assert.ok(waited < patienceMs, `${body.logs.length} of ${count} attempts are in the log`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Causes an event (`intent.issued`) and waits until a subscription of its own has it: each delivery that was due before has been
 * posted by then, so that what has not come does not come.
 */
export async function passMarker(world: World, receiver: Receiver): Promise<void> {
  const path = `/marker-${randomUUID()}`;
  const marker = await subscribe(world, receiver.url + path, ['intent.issued']);
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(1));
  assert.equal(intent.body.allowed, true, intent.text);
  await receiver.wait(1, (received) => received.path === path);
  await world.rest('DELETE', `${HOOKS}/${marker.id}`);
}
