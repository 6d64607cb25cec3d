/** Payment instruments of agents and principals, by their names at the rail. */
import { allCached, type Script } from '../../store.ts';
import { deleteById, earlier, equal, findById, listPage } from '../queries.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const instruments = table(
  'instruments',
  ['id'],
  {
    id: text,
    tenant_id: text,
    holder_did: text,
    holder_kind: oneOf<'agent' | 'principal'>(),
    payment_method: text,
    customer: nullable(text),
    created_at: integer,
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type InstrumentRow = RowOf<typeof instruments>;

/** False when this holder has it already. */
export const insertInstrument = insertInto(
  instruments,
  'ON CONFLICT (tenant_id, holder_did, payment_method) DO NOTHING',
);

export const findInstrument = findById(instruments);

/** Most agents have none. Only who acts for an agent asks, about it. */
const CACHED = { tables: [instruments.name], empty: true };

/** The instruments of an agent and its principal, the agent's first, each newest first. */
export function listInstrumentsOf(
  tenantId: string,
  agentDid: string,
  principalDid: string,
): Script<readonly InstrumentRow[]> {
  const sql = `SELECT * FROM instruments WHERE tenant_id = ? AND ((holder_did = ? AND holder_kind = 'agent')
       OR (holder_did = ? AND holder_kind = 'principal')) ORDER BY holder_kind, id DESC`;
  return allCached(CACHED, sql, tenantId, agentDid, principalDid);
}

export const deleteInstrument = deleteById(instruments);

/** Newest first, of one holder or of all; `before` is the id of the last one on the page before. */
export function listInstruments(
  tenantId: string,
  holder: { readonly kind: InstrumentRow['holder_kind']; readonly did: string } | undefined,
  before: string | undefined,
  limit: number,
): Script<InstrumentRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('holder_did', holder?.did),
    equal('holder_kind', holder?.kind),
    earlier('id', before),
  ];
  return listPage(instruments, conditions, 'id DESC', limit);
}
