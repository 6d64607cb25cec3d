/** Receivers of webhooks that use up the thirty seconds they have by default, in real time. */
import { test } from 'node:test';
import { playSlowReceivers } from '../support/slowReceivers.ts';

test('a receiver that takes 29.9 s has got the event, 30.1 s or a drip has not, and no other receiver waits for them', async () => {
  await playSlowReceivers({ timeoutMs: 30_000, marginMs: 100 });
});
