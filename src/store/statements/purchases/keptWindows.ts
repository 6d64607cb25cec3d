/**
 * The rows of windows, which nearly every request of an agent reads, and many change: a script that changes one tells the row
 * cache what it is from then on.
 */
import { allCached, putCached, type Script, together } from '../../store.ts';
import { POLICY_SCOPE } from './spendingSums.ts';

interface Window {
  readonly tenant_id: string;
  readonly scope: string;
  readonly window_ms: number;
}

interface KeptWindows<Row extends Window> {
  /** The windows that an agent's purchases count in, its own and those of all agents together: all that a limit may ask for. */
  listOf(tenantId: string, agentDid: string): Script<Row[]>;
  /** Stores a window, in place of the one that there is. @param row nothing but its columns */
  save(row: Row): Script<void>;
}

/** @param table of windows @param upsert stores a row of it, which the row cache knows by tenant and scope */
export function keptWindows<Row extends Window>(table: string, upsert: (row: Row) => Script<void>): KeptWindows<Row> {
  // That there is none is kept as well: who asks is a registered agent.
  const cached = { tables: [table], empty: true, byKey: true };
  const sql = `SELECT * FROM ${table} WHERE tenant_id = ? AND scope = ?`;
  const ofScope = (tenantId: string, scope: string) => allCached<Row>(cached, sql, tenantId, scope);
  return {
    *listOf(tenantId, agentDid) {
      return (yield* together(ofScope(tenantId, agentDid), ofScope(tenantId, POLICY_SCOPE))).flat();
    },
    *save(row) {
      const { tenant_id: tenantId, scope } = row;
      const others = (yield* ofScope(tenantId, scope)).filter((each) => each.window_ms !== row.window_ms);
      yield* upsert(row);
      yield* putCached(cached, [...others, row], sql, tenantId, scope);
    },
  };
}
