/** What a database belongs to: its issuer, its root key, its environment. The first node to start on it writes them down. */
import { findSetting, setOnce } from '../../store/statements/node/settings.ts';
import type { Script } from '../../store/store.ts';
import { type Deps, firstIssuer, issuersOf } from '../../usecase/deps.ts';

/** The DID that the chains of this database begin with. */
export const FIRST_ISSUER = 'issuer_did';
/** The DID that signs now; missing until the first rotation. */
export const CURRENT_ISSUER = 'issuer_current';
/** By which the root key is told from another one. */
export const ROOT_MARK = 'root_key';

/** @throws Error when the database belongs to other keys */
export function* claimDatabase(deps: Pick<Deps, 'evidence' | 'issuer' | 'keys'>): Script<void> {
  yield* setOnce(FIRST_ISSUER, firstIssuer(deps));
  const owner = yield* findSetting(FIRST_ISSUER);
  const current = (yield* findSetting(CURRENT_ISSUER)) ?? owner;
  if (owner !== firstIssuer(deps) || !issuersOf(deps).includes(String(current))) {
    throw new Error(
      `This database belongs to the issuer ${current}, but this node's key is ${deps.issuer.did}. ` +
        'Set ISSUER_KEY_FILE to the key file that the other nodes of this deployment use.',
    );
  }
  yield* setOnce(ROOT_MARK, deps.keys.rootMark);
  if ((yield* findSetting(ROOT_MARK)) === deps.keys.rootMark) return;
  throw new Error(
    "This node's root key is not that of this database. " +
      'Set ROOT_KEY_FILE to the key file that the other nodes of this deployment use.',
  );
}
