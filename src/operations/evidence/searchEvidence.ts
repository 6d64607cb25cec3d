/** Searches evidence, newest first. */

import { z } from 'zod';
import { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { SearchEvidence } from '../../../protocol/evidence/query.ts';
import { showEvent } from '../../domain/evidence/showEvidence.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import { listEvidence } from '../../store/statements/evidence/search.ts';
import { listing } from '../../usecase/list/listing.ts';

export const searchEvidence = listing({
  summary: 'Searches evidence, newest first.',
  input: SearchEvidence,
  item: EvidenceEvent,
  permission: 'read',
  order: { position: z.int(), of: (row: EvidenceRow) => row.seq },
  isLong: () => true,
  select: ({ tenantId }, { eventType, actorDid, contextId, from, to }, before, limit) => {
    const eventTypes = eventType === undefined ? undefined : [eventType];
    return listEvidence(tenantId, { eventTypes, actorDid, contextId, from, to }, before, limit);
  },
  show: showEvent,
});
