/** DID proofs that were used: each may vouch for one HTTP request, with all the messages it carries. */
import { get, run, type Script } from '../../store.ts';

/** Burns a proof for this HTTP request; false when another one used it before. */
export function* burnProof(did: string, jti: string, requestId: string, expiresAt: number): Script<boolean> {
  const changes = yield* run(
    'INSERT INTO proofs_seen (did, jti, request_id, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (did, jti) DO NOTHING',
    did,
    jti,
    requestId,
    expiresAt,
  );
  if (changes === 1) return true;
  const row = yield* get<{ request_id: string }>(
    'SELECT request_id FROM proofs_seen WHERE did = ? AND jti = ?',
    did,
    jti,
  );
  return row?.request_id === requestId;
}

export function* deleteProofsBefore(time: number): Script<number> {
  return yield* run('DELETE FROM proofs_seen WHERE expires_at < ?', time);
}
