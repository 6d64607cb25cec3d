/** The sandbox's own card rail: there wherever no other extension has that rail, and in the sandbox alone. */
import { findKeptOutcome } from '../../domain/payments/keptOutcome.ts';
import { extension } from '../extension.ts';
import { sandboxRail } from './sandboxRail.ts';

const CARD_RAIL = 'CARD_RAIL';

export const sandbox = extension({
  name: 'sandbox-rail',
  settings: { variables: {}, isConfigured: ({ AP2_ENV }) => AP2_ENV === 'sandbox' },
  rails: [CARD_RAIL],
  check: async () => ({ state: 'ok', message: 'The sandbox rail is part of the node.' }),
  start: ({ store }) => ({ rails: [sandboxRail(CARD_RAIL, (attemptKey) => findKeptOutcome(store, attemptKey))] }),
});
