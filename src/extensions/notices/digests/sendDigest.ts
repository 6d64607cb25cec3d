/** Puts the digest of one place into the outbox, once a week though several nodes look. */
import { DigestSchedule, nextDigest } from '../../../../protocol/webhook/digest.ts';
import { claimDigest, type WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { tellPlaces } from '../sending/tellUser.ts';
import { loadDigest } from './digestFacts.ts';

type DigestDeps = Pick<Deps, 'newId' | 'policies' | 'store' | 'wake'>;

/** What a place has whose digest is due. */
type DueChannel = WebhookRow & { readonly digest: string; readonly digest_at: number };

export async function sendDigest(deps: DigestDeps, place: DueChannel): Promise<void> {
  const { id, tenant_id: tenantId, digest_at: dueAt } = place;
  const schedule = DigestSchedule.parse(JSON.parse(place.digest));
  // The sums are read beside the writer, before the place is claimed: a node that ends between the two has claimed nothing.
  const digest = await deps.store.readApart((now) => loadDigest(deps, tenantId, schedule, dueAt, now));
  await deps.store.write(tenantId, function* (now) {
    // The row decides which node sends it; with the delivery it is one commit.
    if (!(yield* claimDigest(id, dueAt, nextDigest(schedule, now)))) return;
    yield* tellPlaces(deps, tenantId, [place], digest, now);
  });
}
