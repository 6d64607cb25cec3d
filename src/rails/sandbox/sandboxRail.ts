/**
 * The sandbox rail: a card rail without money. Its ledger survives restarts, like that of a real rail, and the test
 * instrument decides the outcome.
 */
import type { Rail, RailOutcome, RailRequest } from '../rail.ts';

/** The rail's own records, separate from the node's. */
export interface SandboxLedger {
  find(attemptKey: string): Promise<SandboxEntry | undefined>;
  /** Stores the entry unless there is one under this key, and returns the stored one. */
  putOnce(attemptKey: string, entry: SandboxEntry): Promise<SandboxEntry>;
}

export interface SandboxEntry {
  readonly parameters: string;
  readonly outcome: RailOutcome;
}

const DEFAULT_INSTRUMENT = 'pm_card_visa';

type Refused = { readonly kind: 'declined' | 'actionRequired'; readonly code: string; readonly message: string };

/** The test instruments and their outcomes; undefined is success. */
const TEST_INSTRUMENTS: ReadonlyMap<string, Refused | undefined> = new Map<string, Refused | undefined>([
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

/** @param makeId creates the rail's id of a new payment */
export function sandboxRail(id: string, ledger: SandboxLedger, makeId: (prefix: string) => string): Rail {
  async function once(attemptKey: string, request: RailRequest, judge: () => RailOutcome): Promise<RailOutcome> {
    const parameters = JSON.stringify(request);
    const entry = await ledger.putOnce(attemptKey, { parameters, outcome: judge() });
    if (entry.parameters === parameters) return entry.outcome;
    return { kind: 'declined', code: 'idempotency_error', message: 'This key was used for another request.' };
  }
  const done = (status: string) => (attemptKey: string, request: RailRequest) =>
    once(attemptKey, request, () => ({ kind: 'ok', railId: request.railId ?? makeId('pi_'), status }));

  return {
    id,
    capabilities: { partialCapture: true, partialRefund: true },
    authorize: (attemptKey, request) =>
      once(attemptKey, request, () => {
        const instrument = request.instrument ?? DEFAULT_INSTRUMENT;
        const railId = makeId('pi_');
        if (!TEST_INSTRUMENTS.has(instrument)) {
          return { kind: 'declined', railId, code: 'resource_missing', message: `No such instrument: ${instrument}.` };
        }
        const refused = TEST_INSTRUMENTS.get(instrument);
        return refused === undefined ? { kind: 'ok', railId, status: 'requires_capture' } : { ...refused, railId };
      }),
    capture: done('succeeded'),
    cancel: done('canceled'),
    refund: done('succeeded'),
    status: async ({ key }) => (await ledger.find(key))?.outcome,
    // The rail itself declines an unknown one.
    accepts: () => true,
  };
}
