/** Sends the digests that are due. */

import { listDueDigests } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Schedule } from '../../../usecase/schedule.ts';
import { workOff } from '../../../workers/patience.ts';
import { sendDigest } from './sendDigest.ts';

/** Between two looks. */
const PAUSE_MS = 10_000;

export const digestSchedule: Schedule = {
  name: 'digests',
  pauseMs: PAUSE_MS,
  work: (waiting, deps) =>
    workOff(deps, waiting, {
      list: (limit) => deps.store.read((now) => listDueDigests(now, limit)),
      keyOf: ({ id }) => id,
      // One that another node has claimed is listed no more.
      settle: (place) => sendDigest(deps, place),
    }),
};
