/** The merchants and categories that limits of a tenant have named: what is bought there, or of them, is summed from then on. */
import type { Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { allCached, type Script } from '../../store.ts';
import { insertInto, type RowOf, table, text } from '../tableDefinition.ts';

export const limitNarrowings = table(
  'limit_narrowings',
  ['tenant_id', 'merchant', 'category'],
  {
    tenant_id: text,
    /** A domain, or `*.` and one; empty for any merchant. */
    merchant: text,
    /** Empty for any category. */
    category: text,
  },
  {
    retention: { kept: 'sums are kept for what limits name' },
    isTestData: false,
  },
);
type NarrowingRow = RowOf<typeof limitNarrowings>;

const insert = insertInto(limitNarrowings, 'ON CONFLICT (tenant_id, merchant, category) DO NOTHING');

/** False where it is there already. */
export function insertNarrowing(tenantId: string, { merchant = '', category = '' }: Narrowing): Script<boolean> {
  return insert({ tenant_id: tenantId, merchant, category });
}

const CACHED = { tables: [limitNarrowings.name], empty: true };

export function* listNarrowings(tenantId: string): Script<Narrowing[]> {
  const sql = 'SELECT * FROM limit_narrowings WHERE tenant_id = ? ORDER BY merchant, category';
  const rows = yield* allCached<NarrowingRow>(CACHED, sql, tenantId);
  return rows.map(({ merchant, category }) =>
    compact({ merchant: merchant || undefined, category: category || undefined }),
  );
}
