/** Nonces that the node gave for the last mandate of a chain: each serves one payment. */
import { changed, get, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { DAY_MS, insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const mandateChallenges = table(
  'mandate_challenges',
  ['tenant_id', 'nonce'],
  {
    tenant_id: text,
    nonce: text,
    agent_did: text,
    expires_at: integer,
    used_at: later(nullable(integer)),
  },
  {
    // One that comes again later is known by its form, and refused.
    retention: {
      goes: 'a day after it expires',
      purges: [(limit, now) => deleteMandateChallengesBefore(limit, now - DAY_MS)],
    },
    isTestData: true,
  },
);
type MandateChallengeRow = RowOf<typeof mandateChallenges>;

export const insertMandateChallenge = insertInto(mandateChallenges);

/** How many of an agent's are open. */
export function* countOpenChallenges(tenantId: string, agentDid: string, now: number): Script<number> {
  const sql =
    'SELECT COUNT(*) AS count FROM mandate_challenges WHERE tenant_id = ? AND agent_did = ? AND expires_at > ?';
  return (yield* get<{ count: number }>(sql, tenantId, agentDid, now))?.count ?? 0;
}

export function findMandateChallenge(tenantId: string, nonce: string): Script<MandateChallengeRow | undefined> {
  return get('SELECT * FROM mandate_challenges WHERE tenant_id = ? AND nonce = ?', tenantId, nonce);
}

/** False when it was used before. */
export function useMandateChallenge(tenantId: string, nonce: string, now: number): Script<boolean> {
  const sql = 'UPDATE mandate_challenges SET used_at = ? WHERE tenant_id = ? AND nonce = ? AND used_at IS NULL';
  return changed(sql, now, tenantId, nonce);
}

/** @param args those that ended before this time */
const deleteMandateChallengesBefore: DeleteOldest = deleteOldest(mandateChallenges, 'expires_at < ?', 'expires_at');
