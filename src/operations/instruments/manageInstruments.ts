/** The payment methods of agents and principals, by their names at the rail; card numbers never come here. */

import { AddInstrument, Instrument, ListInstruments } from '../../../protocol/instrument.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { removal } from '../../domain/evidence/removal.ts';
import { govern } from '../../domain/principals/governance.ts';
import {
  deleteInstrument,
  findInstrument,
  type InstrumentRow,
  insertInstrument,
  listInstruments as selectInstruments,
} from '../../store/statements/registry/instruments.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { byId, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

function showInstrument(row: InstrumentRow): Instrument {
  return compact({
    id: row.id,
    ...(row.holder_kind === 'agent' ? { agentDid: row.holder_did } : { principalDid: row.holder_did }),
    paymentMethod: row.payment_method,
    customer: row.customer ?? undefined,
    createdAt: isoTime(row.created_at),
  });
}

function instrumentFacts(row: InstrumentRow): Record<string, unknown> {
  const { createdAt: _, customer: _customer, id, ...facts } = showInstrument(row);
  return { instrumentId: id, ...facts };
}

export const addInstrument = useCase({
  summary: 'Registers what an agent pays with, or each agent that spends the same money.',
  input: AddInstrument,
  output: Instrument,
  permission: 'admin',
  stepUp: true,
  faults: ['CONFLICT'],
  run: inOneCommit<AddInstrument, Instrument>(function* (deps: EventDeps, caller, input, { now }) {
    const row: InstrumentRow = {
      id: deps.newId('ins_'),
      tenant_id: caller.tenantId,
      holder_did: (input.agentDid ?? input.principalDid) as string,
      holder_kind: input.agentDid === undefined ? 'principal' : 'agent',
      payment_method: input.paymentMethod,
      customer: input.customer ?? null,
      created_at: now,
    };
    if (!(yield* insertInstrument(row))) throw new Fault('CONFLICT', 'This payment method is registered already.');
    if (row.holder_kind === 'principal') yield* govern(deps, caller, row.holder_did, now);
    yield* recordAdminEvent(deps, caller, 'INSTRUMENT_ADDED', instrumentFacts(row), now);
    return showInstrument(row);
  }),
});

export const listInstruments = listing({
  summary: 'Lists registered payment methods, newest first.',
  input: ListInstruments,
  item: Instrument,
  permission: 'admin',
  order: byId,
  select({ tenantId }, { agentDid, principalDid }, before, limit) {
    const did = agentDid ?? principalDid;
    const kind = agentDid === undefined ? 'principal' : 'agent';
    const holder = did === undefined ? undefined : ({ kind, did } as const);
    return selectInstruments(tenantId, holder, before, limit);
  },
  show: showInstrument,
});

export const removeInstrument = removal({
  summary: 'Removes a payment method; purchases from now on cannot use it.',
  noun: 'instrument',
  find: findInstrument,
  remove: deleteInstrument,
  eventType: 'INSTRUMENT_REMOVED',
  facts: instrumentFacts,
});
