/** A key that is retired goes on to sign its status lists: mandates that it signed are in them until they end. */
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { keepStatusSigner, lastStatusEnd } from '../../store/statements/purchases/statusLists.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { statusSignerContext } from '../credentials/buildStatusList.ts';

/** Keeps the seed of the present key, sealed, for that alone. A key without lists, or whose mandates have all ended, is not kept. */
export function* keepListSigner(
  { clock, issuer, sealer }: Pick<Deps, 'clock' | 'issuer' | 'sealer'>,
  seed: Uint8Array,
): Script<void> {
  const { did } = issuer;
  const endsAt = yield* lastStatusEnd(did);
  if (endsAt <= clock()) return;
  const sealed = sealer.seal(toBase64url(seed), statusSignerContext(did));
  yield* keepStatusSigner({ issuer: did, seed: sealed, ends_at: endsAt });
}
