/** Sends the digests that are due. */
import { sendDigest } from '../domain/digests/sendDigest.ts';
import { listDueDigests } from '../store/statements/webhooks/subscriptions.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

export async function sendDigests(deps: Deps, waiting = patience(deps, 'digests')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listDueDigests(now, limit)),
    keyOf: ({ id }) => id,
    // One that another node has claimed is listed no more.
    settle: (place) => sendDigest(deps, place),
  });
}
