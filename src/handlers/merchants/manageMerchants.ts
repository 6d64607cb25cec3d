/** The merchant registry: binds a key, and perhaps a rail account, to a merchant's domain. */
import { z } from 'zod';
import { BindMerchant, Merchant } from '../../../protocol/merchant.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import {
  deleteMerchant,
  findMerchant,
  insertMerchant,
  type MerchantRow,
  listMerchants as selectMerchants,
} from '../../store/statements/registry/merchants.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

function showMerchant(row: MerchantRow): Merchant {
  return {
    id: row.id,
    domain: row.domain,
    did: row.did,
    ...(row.rail_account_id === null ? {} : { railAccountId: row.rail_account_id }),
    ...(row.rail_profile_id === null ? {} : { railProfileId: row.rail_profile_id }),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

export const bindMerchant = useCase({
  summary: 'Binds a key to a merchant’s domain, so that carts it signs are trusted.',
  input: BindMerchant,
  output: Merchant,
  permission: 'admin',
  faults: ['CONFLICT'],
  run: inOneCommit<BindMerchant, Merchant>(function* (deps, caller, input, { now }) {
    const row: MerchantRow = {
      id: deps.newId('mch_'),
      tenant_id: caller.tenantId,
      domain: input.domain,
      did: input.did,
      rail_account_id: input.railAccountId ?? null,
      created_at: now,
      rail_profile_id: input.railProfileId ?? null,
    };
    if (!(yield* insertMerchant(row))) throw new Fault('CONFLICT', 'This key is bound to this domain already.');
    const data = { merchantId: row.id, merchant: row.domain, merchantDid: row.did };
    yield* recordEvent(deps, caller.tenantId, { eventType: 'MERCHANT_BOUND', actorDid: deps.issuer.did, data }, now);
    return showMerchant(row);
  }),
});

export const listMerchants = useCase({
  summary: 'Lists bound merchants, newest first.',
  input: PageRequest,
  output: pageOf(Merchant),
  permission: 'admin',
  run: inOneRead<PageRequest, Page<Merchant>>(function* (_deps, caller, input) {
    const before = positionOf(z.string(), input.cursor);
    const rows = yield* selectMerchants(caller.tenantId, before, input.limit + 1);
    return toPage(rows, input.limit, showMerchant, (row) => row.id);
  }),
});

const RemoveMerchant = z.object({ id: z.string() });

export const removeMerchant = useCase({
  summary: 'Takes a merchant’s key out of the registry.',
  input: RemoveMerchant,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof RemoveMerchant>, undefined>(function* (deps, caller, { id }, { now }) {
    const row = yield* findMerchant(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no merchant ${id}.`);
    yield* deleteMerchant(caller.tenantId, id);
    const data = { merchantId: row.id, merchant: row.domain, merchantDid: row.did };
    yield* recordEvent(deps, caller.tenantId, { eventType: 'MERCHANT_REMOVED', actorDid: deps.issuer.did, data }, now);
    return undefined;
  }),
});
