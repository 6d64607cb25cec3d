/** Searches evidence, newest first. */
import { z } from 'zod';
import { Did } from '../../protocol/credential/did.ts';
import { EvidenceEvent } from '../../protocol/evidence.ts';
import { ContextId } from '../../protocol/session.ts';
import { listEvidence } from '../store/statements/evidence.ts';
import { Time } from './exportEvidence.ts';
import { type Page, PageRequest, pageOf, positionOf, toPage } from './page.ts';
import { showEvent } from './showEvidence.ts';
import { inOneRead, useCase } from './useCase.ts';

const SearchEvidence = PageRequest.extend({
  eventType: z.string().min(1).max(100).optional(),
  actorDid: Did.optional(),
  contextId: ContextId.optional(),
  from: Time.optional(),
  to: Time.optional(),
});

export const searchEvidence = useCase({
  summary: 'Searches evidence, newest first.',
  input: SearchEvidence,
  output: pageOf(EvidenceEvent),
  permission: 'read',
  run: inOneRead<z.output<typeof SearchEvidence>, Page<EvidenceEvent>>(function* (_deps, caller, input) {
    const { eventType, actorDid, contextId, from, to } = input;
    const eventTypes = eventType === undefined ? undefined : [eventType];
    const before = positionOf(z.int(), input.cursor);
    const filter = { eventTypes, actorDid, contextId, from, to };
    const rows = yield* listEvidence(caller.tenantId, filter, before, input.limit + 1);
    return toPage(rows, input.limit, showEvent, (row) => row.seq);
  }),
});
