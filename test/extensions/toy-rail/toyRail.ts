/** A rail as an extension has it, in one file: it pays by bank transfer in words alone, and takes any name of an account but one. */
import { findKeptOutcome } from '../../../src/domain/payments/keptOutcome.ts';
import { extension } from '../../../src/extensions/extension.ts';
import type { RailOutcome, RailRequest } from '../../../src/rails/rail.ts';

const TOY_RAIL = 'TOY_RAIL';
const NO_MONEY = 'acct_empty';

export const toyRail = extension({
  name: 'toy-rail',
  rails: [TOY_RAIL],
  start: ({ store }) => ({
    rails: [
      {
        id: TOY_RAIL,
        capabilities: { partialCapture: true, partialRefund: true },
        isKeptByNode: true,
        authorize: async (_key, request) =>
          request.instrument === NO_MONEY
            ? { kind: 'declined', railId: railIdOf(request), code: 'no_money', message: 'The account is empty.' }
            : done(request, 'held'),
        capture: async (_key, request) => done(request, 'paid'),
        cancel: async (_key, request) => done(request, 'released'),
        refund: async (_key, request) => done(request, 'returned'),
        status: ({ key }) => findKeptOutcome(store, key),
        accepts: (instrument) => instrument.startsWith('acct_'),
      },
    ],
  }),
});

function done(request: RailRequest, status: string): RailOutcome {
  return { kind: 'ok', railId: railIdOf(request), status };
}

function railIdOf({ railId, mandateId }: RailRequest): string {
  return railId ?? `toy_${mandateId}`;
}
