/** The places of mandates in status lists, and since when each no longer holds. */
import { all, get, run, type Script, send } from '../../store.ts';
import { deleteOldest } from '../queries.ts';
import { DAY_MS, insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';
import { closeStatusLists } from './statusLists.ts';

export const credentialStatus = table(
  'credential_status',
  ['list', 'idx'],
  {
    list: integer,
    /** The place in the list: any, so that its neighbours tell nothing. */
    idx: integer,
    tenant_id: text,
    /** `intent_…` or `pm_…`. */
    credential_id: text,
    agent_did: text,
    /** When the mandate ends by itself. */
    expires_at: integer,
    /** Since when it no longer holds; null while it does. It is never set back. */
    credential_set_at: later(nullable(integer)),
  },
  {
    retention: {
      goes: '30 days after its mandate ends',
      purges: [(limit, now) => deleteCredentialStatusBefore(limit, now - 30 * DAY_MS)],
    },
    // A reset ends them instead (reset.ts): their mandates are in the hands of others.
    isTestData: false,
  },
);
type CredentialStatusRow = RowOf<typeof credentialStatus>;

/** @returns false where the place is taken */
export const insertCredentialStatus = insertInto(credentialStatus, 'ON CONFLICT (list, idx) DO NOTHING');

/** A mandate's last place, and who signs the list that it is in. */
export interface IssuedStatus extends CredentialStatusRow {
  readonly issuer: string;
}

export function findStatusPlace(tenantId: string, credentialId: string): Script<IssuedStatus | undefined> {
  const sql = `SELECT credential_status.*, status_lists.issuer FROM credential_status
    JOIN status_lists ON status_lists.list = credential_status.list
    WHERE tenant_id = ? AND credential_id = ? ORDER BY credential_status.list DESC LIMIT 1`;
  return get(sql, tenantId, credentialId);
}

/** The places in a list whose mandates no longer hold, as words of 32 places, the first the highest bit: a row for each would be many. */
export function listSetWords(list: number): Script<{ readonly word: number; readonly bits: number }[]> {
  const sql = `SELECT idx / 32 AS word, CAST(SUM(CAST(1 AS BIGINT) << CAST(31 - idx % 32 AS INTEGER)) AS BIGINT) AS bits
    FROM credential_status WHERE list = ? AND credential_set_at IS NOT NULL GROUP BY idx / 32`;
  return all(sql, list);
}

/** A condition: a mandate has a place in a list. Few have one, since it is given where a mandate is handed out in a form that names it. */
export function hasStatus(tenant: string, credential: string): string {
  return `EXISTS (SELECT 1 FROM credential_status WHERE credential_status.tenant_id = ${tenant}
    AND credential_status.credential_id = ${credential})`;
}

/** A mandate no longer holds, in whichever lists it has a place. */
export function endStatus(tenantId: string, credentialId: string, now: number): Script<void> {
  const sql = `UPDATE credential_status SET credential_set_at = ?
    WHERE tenant_id = ? AND credential_id = ? AND credential_set_at IS NULL`;
  return send(sql, now, tenantId, credentialId);
}

const IS_INTENT = "credential_id LIKE 'intent%'";
const IS_PAYMENT = "credential_id LIKE 'pm%'";

/** All intents of an agent no longer hold, nor its payments that no rail has authorized. */
export function* endStatusOfAgent(tenantId: string, agentDid: string, now: number): Script<void> {
  const intents = `UPDATE credential_status SET credential_set_at = ?
    WHERE tenant_id = ? AND agent_did = ? AND credential_set_at IS NULL AND ${IS_INTENT}`;
  const payments = `UPDATE credential_status SET credential_set_at = ?
    WHERE tenant_id = ? AND agent_did = ? AND credential_set_at IS NULL AND ${IS_PAYMENT}
      AND EXISTS (SELECT 1 FROM payments WHERE payments.tenant_id = credential_status.tenant_id
        AND payments.mandate_id = credential_id AND status IN ('PENDING', 'UNKNOWN'))`;
  yield* send(intents, now, tenantId, agentDid);
  yield* send(payments, now, tenantId, agentDid);
}

/** An agent's intents to spend the money of one principal no longer hold. */
export function endStatusOfDelegation(
  tenantId: string,
  { agentDid, principalDid }: { readonly agentDid: string; readonly principalDid: string },
  now: number,
): Script<void> {
  const spends = `EXISTS (SELECT 1 FROM intents WHERE intents.tenant_id = credential_status.tenant_id
    AND mandate_id = credential_id AND principal_did = ?)`;
  const sql = `UPDATE credential_status SET credential_set_at = ?
    WHERE tenant_id = ? AND agent_did = ? AND credential_set_at IS NULL AND ${IS_INTENT} AND ${spends}`;
  return send(sql, now, tenantId, agentDid, principalDid);
}

/** The intents that name a registered open mandate no longer hold. */
export function endStatusOfMandateDelegation(tenantId: string, delegationId: string, now: number): Script<void> {
  const sql = `UPDATE credential_status SET credential_set_at = ?
    WHERE tenant_id = ? AND credential_set_at IS NULL AND credential_id IN
      (SELECT mandate_id FROM intents WHERE tenant_id = ? AND delegation_id = ? AND status = 'ACTIVE')`;
  return send(sql, now, tenantId, tenantId, delegationId);
}

/** Nothing that a tenant handed out holds any longer: what it says was deleted. */
export function* endStatusOfTenant(tenantId: string, now: number): Script<void> {
  yield* run(
    'UPDATE credential_status SET credential_set_at = ? WHERE tenant_id = ? AND credential_set_at IS NULL',
    now,
    tenantId,
  );
}

const deleteEnded = deleteOldest(credentialStatus, 'expires_at < ?', 'expires_at');

function* deleteCredentialStatusBefore(limit: number, before: number): Script<number> {
  yield* closeStatusLists(limit, before);
  return yield* deleteEnded(limit, before);
}
