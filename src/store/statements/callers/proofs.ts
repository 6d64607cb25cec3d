/** DID proofs that were used, to detect a replay: each is valid for one HTTP request, with all messages in it. */
import { get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { insertInto, integer, table, text } from '../tableDefinition.ts';

export const proofsSeen = table(
  'proofs_seen',
  ['did', 'jti'],
  {
    did: text,
    jti: text,
    request_id: text,
    expires_at: integer,
  },
  {
    retention: { goes: 'when it expires', purges: [(limit, now) => deleteProofsBefore(limit, now)] },
    isTestData: false,
  },
);

const insertProof = insertInto(proofsSeen, 'ON CONFLICT (did, jti) DO NOTHING');

/** Marks a proof as used by this HTTP request; false when another request used it before. */
export function* markProofUsed(did: string, jti: string, requestId: string, expiresAt: number): Script<boolean> {
  if (yield* insertProof({ did, jti, request_id: requestId, expires_at: expiresAt })) return true;
  const sql = 'SELECT request_id FROM proofs_seen WHERE did = ? AND jti = ?';
  return (yield* get<{ request_id: string }>(sql, did, jti))?.request_id === requestId;
}

/** Deletes what expired before a time. */
const deleteProofsBefore: DeleteOldest = deleteOldest(proofsSeen, 'expires_at < ?', 'expires_at');
