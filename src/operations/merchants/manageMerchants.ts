/** The merchant registry: binds a key, and perhaps a rail account, to a merchant's domain. */

import type { Suite } from '../../../protocol/credential/ed25519.ts';
import { type PublicJwk, thumbprintOf } from '../../../protocol/jwk/jwk.ts';
import { BindMerchant, Merchant } from '../../../protocol/merchant.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { removal } from '../../domain/evidence/removal.ts';
import { isKeySetUrl } from '../../domain/merchants/merchantKeys.ts';
import { faultOfTarget } from '../../fetch/target.ts';
import {
  deleteMerchant,
  findMerchant,
  insertMerchant,
  type MerchantRow,
  listMerchants as selectMerchants,
} from '../../store/statements/registry/merchants.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

function showMerchant(row: MerchantRow): Merchant {
  return compact({
    id: row.id,
    domain: row.domain,
    ...boundOf(row),
    railAccountId: row.rail_account_id ?? undefined,
    railProfileId: row.rail_profile_id ?? undefined,
    payTo: row.pay_to === null ? undefined : JSON.parse(row.pay_to),
    mcc: row.mcc ?? undefined,
    country: row.country ?? undefined,
    signatureAgentForm: row.signature_agent_form ?? undefined,
    createdAt: isoTime(row.created_at),
  });
}

/** In place of a key's name where only payees are bound: no issuer has such a name. */
const PAYEE = 'payee:';
/** Where nothing is bound, and only told how it reads signed requests. */
const NO_PAYEE = `${PAYEE}none`;

/** What is bound: a DID, a key, or the address of a set of keys; nothing where only payees are. */
function boundOf({ did, jwk }: MerchantRow): Pick<Merchant, 'did' | 'jwk' | 'jwksUrl'> {
  if (jwk !== null) return { jwk: JSON.parse(jwk) };
  if (did.startsWith(PAYEE)) return {};
  return isKeySetUrl(did) ? { jwksUrl: did } : { did };
}

/** Its names at rails. */
function payeesOf({ rail_profile_id: profile, pay_to: accounts }: MerchantRow): string[] {
  return [...(profile === null ? [] : [profile]), ...(accounts === null ? [] : (JSON.parse(accounts) as string[]))];
}

function merchantFacts(row: MerchantRow) {
  const { did: merchantDid, jwk: merchantJwk, jwksUrl: merchantJwksUrl } = boundOf(row);
  const payees = payeesOf(row);
  const bound = { merchantDid, merchantJwk, merchantJwksUrl, payees: payees.length === 0 ? undefined : payees };
  const signatureAgentForm = row.signature_agent_form ?? undefined;
  return compact({ merchantId: row.id, merchant: row.domain, ...bound, signatureAgentForm });
}

/** @throws Fault BAD_REQUEST for an address that the node would not fetch when a signature is to be verified */
function requireFetchable(jwksUrl: string | undefined): void {
  const message = jwksUrl === undefined ? undefined : faultOfTarget(jwksUrl, { allowPrivate: false });
  if (message !== undefined) throw new Fault('BAD_REQUEST', `jwksUrl ${message}.`, [{ path: 'jwksUrl', message }]);
}

function nameOf(suite: Suite, { jwk, railProfileId, payTo = [] }: BindMerchant): string {
  const payee = railProfileId ?? payTo[0];
  if (jwk === undefined) return payee === undefined ? NO_PAYEE : PAYEE + payee;
  return thumbprintOf(suite, jwk as PublicJwk);
}

export const bindMerchant = useCase({
  summary:
    'Binds a key to a merchant’s domain, so that carts it signs are trusted, and its names at rails, so that it is paid where no cart is signed.',
  input: BindMerchant,
  output: Merchant,
  permission: 'admin',
  stepUp: true,
  faults: ['CONFLICT'],
  run: inOneCommit<BindMerchant, Merchant>(function* (deps: EventDeps, caller, input, { now }) {
    requireFetchable(input.jwksUrl);
    const row: MerchantRow = {
      id: deps.newId('mch_'),
      tenant_id: caller.tenantId,
      domain: input.domain,
      did: input.did ?? input.jwksUrl ?? nameOf(deps.suite, input),
      rail_account_id: input.railAccountId ?? null,
      created_at: now,
      rail_profile_id: input.railProfileId ?? null,
      mcc: input.mcc ?? null,
      country: input.country ?? null,
      jwk: input.jwk === undefined ? null : JSON.stringify(input.jwk),
      pay_to: input.payTo === undefined ? null : JSON.stringify(input.payTo),
      signature_agent_form: input.signatureAgentForm ?? null,
    };
    if (!(yield* insertMerchant(row, payeesOf(row))))
      throw new Fault('CONFLICT', 'This key is bound to this domain already.');
    yield* recordAdminEvent(deps, caller, 'MERCHANT_BOUND', merchantFacts(row), now);
    return showMerchant(row);
  }),
});

export const listMerchants = listing({
  summary: 'Lists bound merchants, newest first.',
  input: PageRequest,
  item: Merchant,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectMerchants(tenantId, before, limit),
  show: showMerchant,
});

export const removeMerchant = removal({
  summary: 'Removes a merchant’s key from the registry.',
  noun: 'merchant',
  find: findMerchant,
  remove: deleteMerchant,
  stepUp: true,
  eventType: 'MERCHANT_REMOVED',
  facts: merchantFacts,
});
