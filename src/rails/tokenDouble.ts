/** The sandbox's own rail of shared payment tokens: tokens that are good for nothing, which no account stands behind. */
import type { Rail } from './rail.ts';

/** After its end nothing is taken with a token; by then what was taken is known. */
export const TOKEN_GRACE_MS = 60_000;

/** @param newToken makes a secret with a prefix @param findOutcome the outcome that the node has kept of an attempt */
export function tokenDouble(
  id: string,
  newToken: (prefix: string) => string,
  findOutcome: (attemptKey: string) => Promise<Awaited<ReturnType<Rail['status']>>>,
): Rail {
  const refuse = async () =>
    ({
      kind: 'declined',
      code: 'merchant_captures',
      message: 'The merchant takes the money, and gives it back.',
    }) as const;
  return {
    id,
    gate: { cancels: true },
    capabilities: { partialCapture: false, partialRefund: false },
    isKeptByNode: true,
    authorize: async (_key, { mandateId, expiresAt = 0, instrument }) =>
      instrument?.includes('Declined') === true
        ? { kind: 'declined', code: 'card_declined', message: 'The card was declined.' }
        : {
            kind: 'ok',
            railId: mandateId,
            status: 'token_issued',
            credential: newToken('spt_'),
            holdUntil: expiresAt + TOKEN_GRACE_MS,
          },
    capture: refuse,
    refund: refuse,
    cancel: async (_key, { mandateId }) => ({ kind: 'ok', railId: mandateId, status: 'canceled' }),
    status: ({ key }) => findOutcome(key),
    accepts: (instrument) => /^pm_card_\w+$/.test(instrument),
  };
}
