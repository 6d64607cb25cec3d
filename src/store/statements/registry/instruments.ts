/** What agents and principals pay with, by its name at the rail. */
import { all, get, run, type Script } from '../../store.ts';

export interface InstrumentRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly holder_did: string;
  readonly holder_kind: 'agent' | 'principal';
  readonly payment_method: string;
  readonly customer: string | null;
  readonly created_at: number;
}

/** @returns false when this holder has it already */
export function* insertInstrument(instrument: InstrumentRow): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO instruments (id, tenant_id, holder_did, holder_kind, payment_method, customer, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, holder_did, payment_method) DO NOTHING`,
    instrument.id,
    instrument.tenant_id,
    instrument.holder_did,
    instrument.holder_kind,
    instrument.payment_method,
    instrument.customer,
    instrument.created_at,
  );
  return changes === 1;
}

export function* findInstrument(tenantId: string, id: string): Script<InstrumentRow | undefined> {
  return yield* get<InstrumentRow>('SELECT * FROM instruments WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Everything these holders may pay with, the agent's own first, the newest of each first. */
export function* listInstrumentsOf(tenantId: string, agentDid: string, principalDid: string): Script<InstrumentRow[]> {
  return yield* all<InstrumentRow>(
    `SELECT * FROM instruments WHERE tenant_id = ? AND ((holder_did = ? AND holder_kind = 'agent')
       OR (holder_did = ? AND holder_kind = 'principal')) ORDER BY holder_kind, id DESC`,
    tenantId,
    agentDid,
    principalDid,
  );
}

export function* deleteInstrument(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM instruments WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Newest first. */
export function* listInstruments(tenantId: string, before: string | undefined, limit: number): Script<InstrumentRow[]> {
  return yield* all<InstrumentRow>(
    'SELECT * FROM instruments WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    tenantId,
    before ?? '~',
    limit,
  );
}
