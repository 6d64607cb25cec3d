/** Payments that are made elsewhere, such as with a card that is typed into a page: reserved before, and told of afterwards. */
import { z } from 'zod';
import type { ExternalExchange } from '../../../protocol/external/externalParts.ts';
import { cartWork } from '../../domain/tasks/exchanges.ts';
import { taskExchange } from '../../usecase/hooks.ts';
import { extension } from '../extension.ts';
import { externalOperations, externalRoutes } from './externalOperations.ts';

export const external = extension({
  name: 'external',
  settings: {
    variables: {
      EXTERNAL_RAIL: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether amounts can be reserved for payments elsewhere; in the sandbox they can when absent.'),
    },
    isConfigured: ({ EXTERNAL_RAIL, AP2_ENV }) => (EXTERNAL_RAIL ?? String(AP2_ENV === 'sandbox')) === 'true',
    remedy: 'set EXTERNAL_RAIL=true',
  },
  operations: externalOperations,
  routes: externalRoutes,
  documents: async () => {
    const { ReservationResult } = await import('../../../protocol/external/reservation.ts');
    return { examples: (await import('./externalExamples.ts')).externalExamples, outputs: { ReservationResult } };
  },
  tools: async () => (await import('./externalTools.ts')).externalTools,
  async start(kernel) {
    const { externalRail } = await import('./externalRail.ts');
    return { rails: [externalRail(kernel)], exchanges: [externalExchange] };
  },
});

const externalExchange = taskExchange<ExternalExchange>({
  kind: 'external',
  operation: 'reserveExternally',
  task: 'external',
  agentOf: (_deps, _caller, { input }) => input.agentDid,
  // After the touch the same call reserves.
  workOf: ({ input }) => cartWork('reserveExternally', input),
});
