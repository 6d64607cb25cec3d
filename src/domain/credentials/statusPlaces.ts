/** The places of mandates in status lists: a mandate that is handed out as a document or a token has one. */
import { fromBase64url } from '../../../protocol/credential/encodings.ts';
import { STATUS_PLACES } from '../../../protocol/credential/statusList.ts';
import {
  endStatus,
  findStatusPlace,
  type IssuedStatus,
  insertCredentialStatus,
} from '../../store/statements/purchases/credentialStatus.ts';
import { openStatusList, takeStatusPlace } from '../../store/statements/purchases/statusLists.ts';
import type { Script, Store } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';

/** Beyond half of its places a list takes no more, so that a random one is soon found. */
export const MOST_ENTRIES = STATUS_PLACES / 2;
/** Each try fails with a chance of less than a half; another node may open a list in the same moment. */
const TRIES = 64;

/** A mandate as its place needs it. */
export interface PlacedMandate {
  readonly tenantId: string;
  readonly transactionId: string;
  /** `intent_…` or `pm_…`. */
  readonly id: string;
  readonly agentDid: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True where it no longer holds, which its place says at once. */
  readonly isOver: boolean;
}

export type StatusEntry = Pick<IssuedStatus, 'list' | 'idx'>;

/** @returns the mandate's place in a list that the present issuer signs; undefined where it has none */
export function* findPlace(
  { issuer }: Pick<Deps, 'issuer'>,
  { tenantId, id }: Pick<PlacedMandate, 'tenantId' | 'id'>,
): Script<StatusEntry | undefined> {
  const place = yield* findStatusPlace(tenantId, id);
  return place?.issuer === issuer.did ? place : undefined;
}

/** Finds the mandate's place, or gives it one. What was handed out under a former issuer's key then ends. */
export function* placeOf(
  deps: EventDeps & Pick<Deps, 'newToken' | 'store'>,
  mandate: PlacedMandate,
  now: number,
): Script<StatusEntry> {
  const { tenantId, id } = mandate;
  const former = yield* findStatusPlace(tenantId, id);
  if (former?.issuer === deps.issuer.did) return former;
  if (former !== undefined && former.credential_set_at === null) {
    yield* endStatus(tenantId, id, now);
    const { list, idx } = former;
    const data = { transactionId: mandate.transactionId, mandateId: id, status: { list, idx }, reason: 'reissued' };
    yield* recordNodeEvent(deps, tenantId, 'STATUS_SET', data, now);
  }
  return yield* takePlace(deps, mandate, now);
}

/** Gives a mandate that was made in this commit its place. */
export function* takePlace(
  { issuer, newToken, store }: Pick<Deps, 'issuer' | 'newToken' | 'store'>,
  { tenantId, id, agentDid, expiresAt, isOver }: PlacedMandate,
  now: number,
): Script<StatusEntry> {
  const list = yield* takeList(store.engine, issuer.did, expiresAt);
  // The row of a mandate that had ended before it was shown stays as long as if it ended now.
  const expires_at = Math.max(expiresAt, now);
  for (let tries = 0; tries < TRIES; tries++) {
    const idx = anyPlace(newToken(''));
    const row = { list, idx, tenant_id: tenantId, credential_id: id, agent_did: agentDid, expires_at };
    if (!(yield* insertCredentialStatus(row))) continue;
    if (isOver) yield* endStatus(tenantId, id, now);
    return { list, idx };
  }
  throw new Error(`no free place was found in status list ${list}`);
}

function* takeList(engine: Store['engine'], issuer: string, expiresAt: number): Script<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const list = yield* takeStatusPlace(engine, issuer, expiresAt, MOST_ENTRIES);
    if (list !== undefined) return list;
    yield* openStatusList(issuer);
  }
  throw new Error('no status list could be opened');
}

/** @param token unpredictable bytes as base64url @returns a place, each with the same chance */
function anyPlace(token: string): number {
  const [first = 0, second = 0, third = 0] = fromBase64url(token) ?? [];
  return ((first << 16) | (second << 8) | third) % STATUS_PLACES;
}
