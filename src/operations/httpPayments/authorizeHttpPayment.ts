/** A server asks for money by HTTP (402): whichever protocol it speaks, one call judges it, and gives what pays it. */
import { HttpPaymentRequest, HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { readOffers } from '../../domain/httpPayments/chooseOffer.ts';
import { openHttpPayment } from '../../domain/httpPayments/openHttpPayment.ts';
import { endFirstTry } from '../../domain/httpPayments/replaceFirstTry.ts';
import { throughRail } from '../../domain/payments/throughRail.ts';
import { type DecidingDeps, decision } from '../../usecase/useCase.ts';

export const authorizeHttpPayment = decision({
  summary:
    'Asks to pay what a server asked for by HTTP (402), and gets what to send it: by MPP or by x402, under one budget.',
  input: HttpPaymentRequest,
  output: HttpPaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: async (deps: DecidingDeps, call, input) => {
    // What a server sent is read before the lock is taken: it may be long.
    const offers = await deps.store.read((now) => readOffers(deps, call.caller, input, now));
    await endFirstTry(deps, call.caller, input);
    const run = throughRail<HttpPaymentRequest, HttpPaymentResult, object, DecidingDeps>(
      () => ({}),
      (own, caller, asked, now) => openHttpPayment(own, caller, asked, offers, now),
    );
    return run(deps, call, input);
  },
});
