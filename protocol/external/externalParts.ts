/** The data part by which a task reserves for a payment elsewhere, and by which it is told what came of it. */
import { z } from 'zod';
import type { Exchange, ExchangePart, WordToTask } from '../a2a/exchangePart.ts';
import { CommitRequest, ReleaseRequest, ReservationRequest } from './reservation.ts';

export interface ExternalExchange extends Exchange {
  readonly kind: 'external';
  readonly input: ReservationRequest;
}

const Commit = CommitRequest.omit({ mandateId: true });
const Release = ReleaseRequest.omit({ mandateId: true });

/** What a task that has reserved goes on with. */
const Told = z.union([
  z
    .strictObject({ commit: Commit })
    .transform(({ commit: input }): WordToTask => ({ kind: 'told', operation: 'commitReservation', input })),
  z
    .strictObject({ release: Release })
    .transform(({ release: input }): WordToTask => ({ kind: 'told', operation: 'releaseReservation', input })),
]);

export const externalParts: readonly ExchangePart[] = [
  {
    name: 'countersign.external',
    schema: ({ continues, filled }) =>
      continues
        ? Told
        : z
            .strictObject({ reserve: z.preprocess(filled, ReservationRequest) })
            .transform(({ reserve: input }): ExternalExchange => ({ kind: 'external', input })),
  },
];
