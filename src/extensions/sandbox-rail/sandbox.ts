/** The sandbox's own rails, of cards and of shared payment tokens: there wherever no other extension has them, and in the sandbox alone. */
import { findKeptOutcome } from '../../domain/payments/keptOutcome.ts';
import { tokenDouble } from '../../rails/tokenDouble.ts';
import { extension } from '../extension.ts';
import { sandboxRail } from './sandboxRail.ts';

const CARD_RAIL = 'CARD_RAIL';
const SPT_RAIL = 'SPT_RAIL';

export const sandbox = extension({
  name: 'sandbox-rail',
  settings: { variables: {}, isConfigured: ({ AP2_ENV }) => AP2_ENV === 'sandbox' },
  rails: [CARD_RAIL, SPT_RAIL],
  check: async () => ({ state: 'ok', message: 'The sandbox rail is part of the node.' }),
  start({ store, newToken }) {
    const kept = (attemptKey: string) => findKeptOutcome(store, attemptKey);
    return { rails: [sandboxRail(CARD_RAIL, kept), tokenDouble(SPT_RAIL, newToken, kept)] };
  },
});
