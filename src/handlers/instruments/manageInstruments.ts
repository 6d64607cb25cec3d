/** Which payment methods agents and their principals pay with. The cards behind them are the rail's secret. */
import { z } from 'zod';
import { AddInstrument, Instrument } from '../../../protocol/instrument.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import {
  deleteInstrument,
  findInstrument,
  type InstrumentRow,
  insertInstrument,
  listInstruments as selectInstruments,
} from '../../store/statements/registry/instruments.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

function showInstrument(row: InstrumentRow): Instrument {
  return {
    id: row.id,
    ...(row.holder_kind === 'agent' ? { agentDid: row.holder_did } : { principalDid: row.holder_did }),
    paymentMethod: row.payment_method,
    ...(row.customer === null ? {} : { customer: row.customer }),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function aboutInstrument(row: InstrumentRow): Record<string, unknown> {
  const { createdAt: _, customer: _customer, id, ...facts } = showInstrument(row);
  return { instrumentId: id, ...facts };
}

export const addInstrument = useCase({
  summary: 'Registers what an agent, or everybody who buys for a principal, pays with.',
  input: AddInstrument,
  output: Instrument,
  permission: 'admin',
  faults: ['CONFLICT'],
  run: inOneCommit<AddInstrument, Instrument>(function* (deps, caller, input, { now }) {
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
    const event = { eventType: 'INSTRUMENT_ADDED', actorDid: deps.issuer.did, data: aboutInstrument(row) } as const;
    yield* recordEvent(deps, caller.tenantId, event, now);
    return showInstrument(row);
  }),
});

export const listInstruments = useCase({
  summary: 'Lists registered payment methods, newest first.',
  input: PageRequest,
  output: pageOf(Instrument),
  permission: 'admin',
  run: inOneRead<PageRequest, Page<Instrument>>(function* (_deps, caller, input) {
    const before = positionOf(z.string(), input.cursor);
    const rows = yield* selectInstruments(caller.tenantId, before, input.limit + 1);
    return toPage(rows, input.limit, showInstrument, (row) => row.id);
  }),
});

const RemoveInstrument = z.object({ id: z.string() });

export const removeInstrument = useCase({
  summary: 'Takes a payment method back; purchases from now on cannot use it.',
  input: RemoveInstrument,
  output: z.undefined(),
  permission: 'admin',
  faults: ['NOT_FOUND'],
  run: inOneCommit<z.output<typeof RemoveInstrument>, undefined>(function* (deps, caller, { id }, { now }) {
    const row = yield* findInstrument(caller.tenantId, id);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no instrument ${id}.`);
    yield* deleteInstrument(caller.tenantId, id);
    const event = { eventType: 'INSTRUMENT_REMOVED', actorDid: deps.issuer.did, data: aboutInstrument(row) } as const;
    yield* recordEvent(deps, caller.tenantId, event, now);
    return undefined;
  }),
});
