/** The merchant registry: which key signs for which domain, and the merchant's account at the rail. */
import type { SignatureAgentForm } from '../../../../protocol/merchant.ts';
import { all, allCached, exists, type Script, send } from '../../store.ts';
import { deleteById, findById, inBatches, listNewest } from '../queries.ts';
import {
  insertInto,
  insertManyInto,
  integer,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
} from '../tableDefinition.ts';

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
    /** JSON: its accounts on chains. */
    pay_to: nullable(text),
    /** How it reads Signature-Agent of signed requests; null where that is not known. */
    signature_agent_form: nullable(oneOf<SignatureAgentForm>()),
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type MerchantRow = RowOf<typeof merchants>;

/** Names at rails, such as a profile or an account on a chain, by the domains that they belong to. */
export const merchantPayees = table(
  'merchant_payees',
  ['tenant_id', 'payee', 'merchant_id'],
  {
    tenant_id: text,
    payee: text,
    merchant_id: text,
    domain: text,
  },
  {
    retention: { kept: 'as long as the merchants that have them' },
    isTestData: false,
  },
);

const insertPayees = insertManyInto(merchantPayees);
const insertRow = insertInto(merchants, 'ON CONFLICT (tenant_id, domain, did) DO NOTHING');

/** @param payees its names at rails @returns false when this key is bound to the domain already */
export function* insertMerchant(row: MerchantRow, payees: readonly string[]): Script<boolean> {
  if (!(yield* insertRow(row))) return false;
  const { tenant_id, id: merchant_id, domain } = row;
  for (const payee of new Set(payees)) yield* insertPayees([{ tenant_id, payee, merchant_id, domain }]);
  return true;
}

/** The domains that a name at a rail belongs to. */
export function listDomainsOfPayee(tenantId: string, payee: string): Script<{ readonly domain: string }[]> {
  return all(
    'SELECT DISTINCT domain FROM merchant_payees WHERE tenant_id = ? AND payee = ? ORDER BY domain LIMIT 20',
    tenantId,
    payee,
  );
}

export function hasPayees(tenantId: string, domain: string): Script<boolean> {
  return exists('SELECT 1 FROM merchant_payees WHERE tenant_id = ? AND domain = ? LIMIT 1', tenantId, domain);
}

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

const deleteRow = deleteById(merchants);

export function* deleteMerchant(tenantId: string, id: string): Script<number> {
  yield* send('DELETE FROM merchant_payees WHERE tenant_id = ? AND merchant_id = ?', tenantId, id);
  return yield* deleteRow(tenantId, id);
}

export const listMerchants = listNewest(merchants);
