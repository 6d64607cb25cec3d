/** Challenges of WebAuthn ceremonies in progress. Consuming one deletes it, so that none is used twice. */
import { get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import type { Holder } from './passkeys.ts';

export const presenceChallenges = table(
  'presence_challenges',
  ['id'],
  {
    id: text,
    tenant_id: text,
    purpose: oneOf<'register' | 'prove' | 'approve' | 'deny' | 'stepUp'>(),
    holder_did: text,
    /** base64url, as the browser returns it. */
    challenge: text,
    /** JSON of what the assertion is bound to. */
    binding: text,
    /** The approval request, the link or the login of the ceremony. */
    subject_id: nullable(text),
    device_name: nullable(text),
    created_at: integer,
    expires_at: integer,
    holder_kind: oneOf<Holder['kind']>(),
    /** base64url; the challenge is the digest of these bytes and of the binding. */
    random: text,
  },
  {
    retention: { goes: 'when it expires', purges: [(limit, now) => deletePresenceChallengesBefore(limit, now)] },
    isTestData: true,
  },
);
export type PresenceChallengeRow = RowOf<typeof presenceChallenges>;

export const insertPresenceChallenge = insertInto(presenceChallenges);

export function consumePresenceChallenge(tenantId: string, id: string): Script<PresenceChallengeRow | undefined> {
  return get('DELETE FROM presence_challenges WHERE tenant_id = ? AND id = ? RETURNING *', tenantId, id);
}

/** For ceremonies that identify their challenge by its value. */
export function consumePresenceChallengeByValue(
  tenantId: string,
  challenge: string,
): Script<PresenceChallengeRow | undefined> {
  return get('DELETE FROM presence_challenges WHERE tenant_id = ? AND challenge = ? RETURNING *', tenantId, challenge);
}

/** Deletes unanswered challenges. */
const deletePresenceChallengesBefore: DeleteOldest = deleteOldest(presenceChallenges, 'expires_at < ?', 'expires_at');
