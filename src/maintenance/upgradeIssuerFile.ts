/** Takes the former seeds out of an issuer's key file from before: statements signed with them stay in their place. */
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { IssuerRotation, signRotation } from '../../protocol/evidence/rotation.ts';
import { type IssuerKey, replaceIssuerKey } from '../crypto/issuerKey.ts';
import type { RandomBytes } from '../crypto/keyFile.ts';
import { all, type Store } from '../store/store.ts';

/** @returns the key without former seeds; call it only once the root key is in its own file */
export async function upgradeIssuerFile(
  suite: Suite,
  store: Store,
  { file, key, randomBytes }: { readonly file: string; readonly key: IssuerKey; readonly randomBytes: RandomBytes },
): Promise<IssuerKey> {
  if (key.formerSeeds.length === 0) return key;
  const recorded = await store.read(() =>
    all<{ data: string }>("SELECT data FROM evidence WHERE event_type = 'ISSUER_ROTATED' ORDER BY tenant_id, seq"),
  );
  const known = recorded.flatMap(({ data }) => IssuerRotation.safeParse(JSON.parse(data).rotation).data ?? []);
  const now = await store.read(function* (time) {
    yield* all('SELECT name FROM settings LIMIT 1');
    return time;
  });
  const signers = [...key.formerSeeds, key.seed].map((seed) => suite.signer(seed));
  const rotations = signers.slice(0, -1).map((from, index) => {
    const to = (signers[index + 1] as typeof from).did;
    return (
      known.find((rotation) => rotation.from === from.did && rotation.to === to) ??
      signRotation(suite, from, { to, at: now })
    );
  });
  const upgraded = { seed: key.seed, rotations, formerSeeds: [] };
  replaceIssuerKey(file, upgraded, randomBytes);
  return upgraded;
}
