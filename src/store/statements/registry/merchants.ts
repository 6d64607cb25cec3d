/** The merchant registry: which key signs for which domain, and the merchant's account at the rail. */
import { all, allCached, type Script } from '../../store.ts';
import { deleteById, findById, inBatches, listNewest } from '../queries.ts';
import { insertInto, integer, nullable, placeholders, type RowOf, table, text } from '../tableDefinition.ts';

export const merchants = table(
  'merchants',
  ['id'],
  {
    id: text,
    tenant_id: text,
    domain: text,
    /** What is bound: a DID, the name of a key by its thumbprint, or the address of a set of keys. */
    did: text,
    rail_account_id: nullable(text),
    created_at: integer,
    /** The merchant's profile in the rail's network, for shared payment tokens. */
    rail_profile_id: nullable(text),
    /** Merchant category code (ISO 18245). */
    mcc: nullable(text),
    /** ISO 3166-1 alpha-2. */
    country: nullable(text),
    /** JSON: the key, where a JSON Web Key is bound. */
    jwk: nullable(text),
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type MerchantRow = RowOf<typeof merchants>;

/** False when this key is bound to the domain already. */
export const insertMerchant = insertInto(merchants, 'ON CONFLICT (tenant_id, domain, did) DO NOTHING');

const CACHED = { tables: [merchants.name] };

/** Every key bound to a domain. */
export function findMerchantsOf(tenantId: string, domain: string): Script<readonly MerchantRow[]> {
  const sql = 'SELECT * FROM merchants WHERE tenant_id = ? AND domain = ? ORDER BY id';
  return allCached(CACHED, sql, tenantId, domain);
}

export type MerchantTerms = Pick<MerchantRow, 'domain' | 'mcc' | 'country'>;

/** Category and country of every key bound to some domains, in the order in which findMerchantsOf has them. */
export function* listTermsOf(tenantId: string, domains: readonly string[]): Script<MerchantTerms[]> {
  const rows: MerchantTerms[] = [];
  for (const batch of inBatches(domains)) {
    const sql = `SELECT domain, mcc, country FROM merchants
       WHERE tenant_id = ? AND domain IN ${placeholders(batch)} ORDER BY id`;
    rows.push(...(yield* all<MerchantTerms>(sql, tenantId, ...batch)));
  }
  return rows;
}

export const findMerchant = findById(merchants);

export const deleteMerchant = deleteById(merchants);

export const listMerchants = listNewest(merchants);
