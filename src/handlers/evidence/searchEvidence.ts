/** Searches evidence, newest first. */
import { z } from 'zod';
import { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { SearchEvidence } from '../../../protocol/evidence/query.ts';
import { type Page, pageOf } from '../../../protocol/wire/page.ts';
import { listEvidence } from '../../store/statements/evidence/events.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneRead, useCase } from '../core/useCase.ts';
import { showEvent } from './showEvidence.ts';

export const searchEvidence = useCase({
  summary: 'Searches evidence, newest first.',
  input: SearchEvidence,
  output: pageOf(EvidenceEvent),
  permission: 'read',
  run: inOneRead<SearchEvidence, Page<EvidenceEvent>>(function* (_deps, caller, input) {
    const { eventType, actorDid, contextId, from, to } = input;
    const eventTypes = eventType === undefined ? undefined : [eventType];
    const before = positionOf(z.int(), input.cursor);
    const filter = { eventTypes, actorDid, contextId, from, to };
    const rows = yield* listEvidence(caller.tenantId, filter, before, input.limit + 1);
    return toPage(rows, input.limit, showEvent, (row) => row.seq);
  }),
});
