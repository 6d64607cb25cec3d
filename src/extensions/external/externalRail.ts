/** The rail of payments that are made elsewhere: it moves no money, and knows what it is told. */
import { findKeptOutcome } from '../../domain/payments/keptOutcome.ts';
import type { Rail, RailOutcome, RailRequest } from '../../rails/rail.ts';
import type { Kernel } from '../../usecase/deps.ts';

export const EXTERNAL_RAIL = 'EXTERNAL_RAIL';

export function externalRail({ store }: Pick<Kernel, 'store'>): Rail {
  const noted =
    (status: string) =>
    async (_key: string, { mandateId }: RailRequest): Promise<RailOutcome> => ({
      kind: 'ok',
      railId: mandateId,
      status,
    });
  return {
    id: EXTERNAL_RAIL,
    gate: { cancels: false, isElsewhere: true },
    capabilities: { partialCapture: true, partialRefund: true },
    isKeptByNode: true,
    authorize: noted('reserved'),
    capture: noted('succeeded'),
    cancel: noted('canceled'),
    refund: noted('succeeded'),
    status: ({ key }) => findKeptOutcome(store, key),
    accepts: () => false,
  };
}
