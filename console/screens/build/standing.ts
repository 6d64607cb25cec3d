/** How an endpoint stands. */
import type { Webhook } from '../../../client/operations.ts';

/** As Status names it. */
export function standingOf({ status, failingSince }: Pick<Webhook, 'status' | 'failingSince'>): string {
  if (status === 'DISABLED') return 'PAUSED';
  return failingSince === undefined ? 'ACTIVE' : 'FAILING';
}
