/**
 * The sandbox rail: a card rail without money. The test instrument decides the outcome, which follows from the request alone,
 * so that a request that is sent again has the same one, after a crash as well.
 */
import type { Rail, RailOutcome, RailRequest } from '../../rails/rail.ts';

const DEFAULT_INSTRUMENT = 'pm_card_visa';

type Decline = { readonly kind: 'declined' | 'actionRequired'; readonly code: string; readonly message: string };

/** The test instruments and their outcomes; undefined is success. */
const TEST_INSTRUMENTS: ReadonlyMap<string, Decline | undefined> = new Map<string, Decline | undefined>([
  [DEFAULT_INSTRUMENT, undefined],
  ['pm_card_visa_chargeDeclined', { kind: 'declined', code: 'card_declined', message: 'The card was declined.' }],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    { kind: 'declined', code: 'insufficient_funds', message: 'The card has insufficient funds.' },
  ],
  [
    'pm_card_authenticationRequired',
    {
      kind: 'actionRequired',
      code: 'authentication_required',
      message: 'The card asks for 3-D Secure and nobody is there to authenticate.',
    },
  ],
]);

/** @param findOutcome the outcome that the node has kept of an attempt */
export function sandboxRail(id: string, findOutcome: (attemptKey: string) => Promise<RailOutcome | undefined>): Rail {
  const done =
    (status: string) =>
    async (_attemptKey: string, request: RailRequest): Promise<RailOutcome> => ({
      kind: 'ok',
      railId: railIdOf(request),
      status,
    });

  return {
    id,
    capabilities: { partialCapture: true, partialRefund: true },
    isKeptByNode: true,
    authorize: async (_attemptKey, request) => {
      const instrument = request.instrument ?? DEFAULT_INSTRUMENT;
      const railId = railIdOf(request);
      if (!TEST_INSTRUMENTS.has(instrument)) {
        return { kind: 'declined', railId, code: 'resource_missing', message: `No such instrument: ${instrument}.` };
      }
      const refused = TEST_INSTRUMENTS.get(instrument);
      return refused === undefined ? { kind: 'ok', railId, status: 'requires_capture' } : { ...refused, railId };
    },
    capture: done('succeeded'),
    cancel: done('canceled'),
    refund: done('succeeded'),
    status: ({ key }) => findOutcome(key),
    // The rail itself declines an unknown one.
    accepts: () => true,
  };
}

/** The payment's id at the rail; a new one is the mandate's under another prefix, since there is one payment for each mandate. */
function railIdOf({ railId, mandateId }: RailRequest): string {
  return railId ?? mandateId.replace(/^pm_/, 'pi_');
}
