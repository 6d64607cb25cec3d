/** The registry of mandate issuers: whose signature begins a chain of mandates that this tenant takes. */

import {
  AddMandateIssuer,
  type Leaf,
  MandateIssuer,
  MOST_MANDATE_ISSUERS,
} from '../../../../protocol/ap2/mandateIssuer.ts';
import { canonical } from '../../../../protocol/credential/canonical.ts';
import { type PublicJwk, thumbprintOf } from '../../../../protocol/jwk/jwk.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../../protocol/wire/page.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { describeRoot, readRoot } from '../../../crypto/certificates.ts';
import { actedBy, recordAdminEvent } from '../../../domain/evidence/recordEvent.ts';
import { removal } from '../../../domain/evidence/removal.ts';
import { tellOfCredential } from '../../../domain/passkeys/tellOfPasskey.ts';
import {
  countMandateIssuers,
  findMandateIssuer,
  insertMandateIssuer,
  type MandateIssuerRow,
  listMandateIssuers as selectMandateIssuers,
} from '../../../store/statements/registry/mandateIssuers.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import { byId, listing } from '../../../usecase/list/listing.ts';
import { requireStanding } from '../../../usecase/standing.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';
import { endMandateIssuer } from './endMandateIssuer.ts';

function showIssuer(row: MandateIssuerRow): MandateIssuer {
  return compact({
    id: row.id,
    name: row.name,
    kind: row.kind,
    jwk: row.jwk === null ? undefined : JSON.parse(row.jwk),
    x5cRoot: row.x5c_root === null ? undefined : showRoot(row.x5c_root),
    leaf: row.leaf === null ? undefined : JSON.parse(row.leaf),
    principalDid: row.principal_did ?? undefined,
    createdAt: isoTime(row.created_at),
  });
}

function showRoot(der: string): NonNullable<MandateIssuer['x5cRoot']> {
  const { subject, sha256, validUntil } = describeRoot(der);
  return { subject, sha256, validUntil: isoTime(validUntil) };
}

function issuerFacts({ id, name, kind, trusts, leaf, principal_did: principalDid }: MandateIssuerRow) {
  const only = leaf === null ? undefined : (JSON.parse(leaf) as Leaf);
  return compact({ mandateIssuerId: id, name, kind, trusts, leaf: only, credentialOf: principalDid ?? undefined });
}

/** @throws Fault BAD_REQUEST for a certificate that is no root */
function trustOf(
  suite: Deps['suite'],
  { jwk, x5cRoot, leaf }: AddMandateIssuer,
  now: number,
): Pick<MandateIssuerRow, 'trusts' | 'jwk' | 'x5c_root' | 'leaf'> {
  if (x5cRoot === undefined) {
    return { trusts: thumbprintOf(suite, jwk as PublicJwk), jwk: JSON.stringify(jwk), x5c_root: null, leaf: null };
  }
  const root = readRoot(x5cRoot, now);
  if ('fault' in root) {
    throw new Fault('BAD_REQUEST', `x5cRoot ${root.fault}.`, [{ path: 'x5cRoot', message: root.fault }]);
  }
  const below = leaf === undefined ? undefined : canonical(leaf);
  const trusts = [`sha256:${root.sha256}`, ...(below === undefined ? [] : [below])].join(' ');
  return { trusts, jwk: null, x5c_root: root.der, leaf: below ?? null };
}

export const addMandateIssuer = useCase({
  summary: 'Trusts who signs the first mandate of a chain, by a key or by the root of its certificates.',
  input: AddMandateIssuer,
  output: MandateIssuer,
  permission: 'admin',
  stepUp: true,
  faults: ['CONFLICT'],
  run: inOneCommit<AddMandateIssuer, MandateIssuer>(function* (
    deps: EventDeps & Pick<Deps, 'operations'>,
    caller,
    input,
    { now },
  ) {
    const { tenantId } = caller;
    const by = actedBy(caller);
    // What a key adds ends with it, and it may have been revoked while it asked.
    yield* requireStanding(caller, now);
    const row: MandateIssuerRow = {
      id: deps.newId('mis_'),
      tenant_id: tenantId,
      name: input.name,
      kind: input.kind,
      principal_did: input.principalDid ?? null,
      ...trustOf(deps.suite, input, now),
      made_by: `${by.kind} ${by.id}`,
      created_at: now,
    };
    if ((yield* countMandateIssuers(tenantId)) >= MOST_MANDATE_ISSUERS) {
      throw new Fault('CONFLICT', `There are ${MOST_MANDATE_ISSUERS} mandate issuers, the most there may be.`);
    }
    if (!(yield* insertMandateIssuer(row))) throw new Fault('CONFLICT', 'This key or certificate is trusted already.');
    yield* recordAdminEvent(deps, caller, 'MANDATE_ISSUER_ADDED', issuerFacts(row), now);
    yield* tellOfCredential(deps, row, now);
    return showIssuer(row);
  }),
});

export const listMandateIssuers = listing({
  summary: 'Lists mandate issuers, newest first.',
  input: PageRequest,
  item: MandateIssuer,
  permission: 'admin',
  order: byId,
  select: ({ tenantId }, _input, before, limit) => selectMandateIssuers(tenantId, before, limit),
  show: showIssuer,
});

export const removeMandateIssuer = removal({
  summary:
    'Trusts a mandate issuer no more: chains that it begins are refused from then on, and what they have not paid is taken back.',
  noun: 'mandate issuer',
  find: findMandateIssuer,
  remove: (_tenantId, _id, now, deps, row) => endMandateIssuer(deps, row, now),
  stepUp: true,
  eventType: 'MANDATE_ISSUER_REMOVED',
  facts: issuerFacts,
});
