/** Status lists as they are served: derived from the places of mandates, signed, and kept for a few seconds. */
import { gzipSync } from 'node:zlib';
import { secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import type { Signer } from '../../../protocol/credential/ed25519.ts';
import { fromBase64url } from '../../../protocol/credential/encodings.ts';
import {
  bitstringOf,
  STATUS_FRESH_SECONDS,
  STATUS_PATH,
  statusListDocument,
} from '../../../protocol/credential/statusList.ts';
import { secureAsJwt } from '../../../protocol/credential/vcJwt.ts';
import { listSetWords } from '../../store/statements/purchases/credentialStatus.ts';
import { findStatusList, findStatusSigner } from '../../store/statements/purchases/statusLists.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { BuiltStatusList } from '../../usecase/services.ts';

/** For how long a list is served without a look at its places: a change shows within it on every node. */
const KEPT_MS = 4000;
/** Lists that are kept at once; each takes about 60 kB. */
const MOST_KEPT = 256;

/** What it takes to sign a list. */
export type ListDeps = Pick<Deps, 'issuer' | 'memory' | 'sealer' | 'settings' | 'suite'>;

/**
 * A list as it was built a moment ago.
 * @param now milliseconds since the epoch
 * @returns undefined where none is kept, or it is too old to be served
 */
export function keptStatusList(
  { memory: { statusLists } }: Pick<Deps, 'memory'>,
  list: number,
  now: number,
): BuiltStatusList | undefined {
  const kept = statusLists.built.get(list);
  return kept !== undefined && Math.abs(now - kept.lookedAt) < KEPT_MS ? kept : undefined;
}

/** Keeps a list that was read in a read, whose rows are committed. */
export function keepStatusList(
  { memory: { statusLists } }: Pick<Deps, 'memory'>,
  list: number,
  read: BuiltStatusList,
): void {
  const { built } = statusLists;
  built.delete(list);
  const oldest = built.keys().next();
  if (built.size >= MOST_KEPT && !oldest.done) built.delete(oldest.value);
  built.set(list, read);
}

/**
 * Derives a list. One whose places have not changed stays as it was signed until it is no longer fresh, so that a reader's
 * entity tag holds.
 * @param now milliseconds since the epoch
 * @returns 'unknown' where there is no such list, 'unsigned' where the key that signed it was given up
 */
export function* buildStatusList(
  deps: ListDeps,
  list: number,
  now: number,
): Script<BuiltStatusList | 'unknown' | 'unsigned'> {
  const [row, words] = yield* together(findStatusList(list), listSetWords(list));
  if (row === undefined) return 'unknown';
  const signer = yield* signerOf(deps, row.issuer);
  if (signer === undefined) return 'unsigned';
  const address = `${deps.settings.baseUrl}${STATUS_PATH}/${list}`;
  const document = statusListDocument(address, signer.did, gzipSync(bitstringOf(words), { level: 9 }), now);
  const { encodedList } = document.credentialSubject;
  const kept = deps.memory.statusLists.built.get(list);
  const isFresh = kept !== undefined && Math.abs(now - kept.builtAt) < STATUS_FRESH_SECONDS * 1000;
  if (isFresh && kept.encodedList === encodedList) return { ...kept, lookedAt: now };
  return {
    encodedList,
    builtAt: now,
    lookedAt: now,
    vc: JSON.stringify(secureDocument(deps.suite, signer, document, document.validFrom)),
    'vc+jwt': secureAsJwt(signer, document, undefined),
  };
}

/** Who signs the lists of an issuer: a former one's key is kept for that alone. */
function* signerOf({ issuer, sealer, suite }: ListDeps, did: string): Script<Signer | undefined> {
  if (did === issuer.did) return issuer;
  const row = yield* findStatusSigner(did);
  const seed = row && fromBase64url(sealer.open(row.seed, statusSignerContext(did)));
  return seed && suite.signer(seed);
}

/** What the sealed seed of a former issuer is bound to. */
export function statusSignerContext(issuer: string): string {
  return `status-signer ${issuer}`;
}
