/** The end of a reservation for a payment elsewhere, of which it was not told what came of it: the policy says whether it stays held. */
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { loadPolicy } from '../policies/loadFacts.ts';
import { canceled, flagPayment, transition } from './recordOutcome.ts';

/** What a policy says of payments elsewhere, with what holds where it says nothing. */
export function* loadExternalRules(deps: Pick<Deps, 'policies' | 'settings'>, tenantId: string) {
  const { compiled } = yield* loadPolicy(deps, tenantId);
  const isSandbox = deps.settings.environment === 'sandbox';
  const { release, on_expiry: atEnd, evidence = 'none' } = compiled.rules.external ?? {};
  return {
    release: release ?? (isSandbox ? 'agent' : 'owner'),
    atEnd: atEnd ?? (isSandbox ? 'release' : 'hold'),
    evidence,
  };
}

const UNTOLD = 'It was reserved for a payment elsewhere, and nothing told what came of that.';

/** @param atEnd as the policy has it */
export function* endReservation(
  deps: HookDeps & Pick<Deps, 'log'>,
  payment: PaymentRow,
  atEnd: 'hold' | 'release',
  now: number,
): Script<void> {
  const known: PaymentRow = { ...payment, hold_until: null };
  if (atEnd === 'release') {
    yield* transition(deps, payment, canceled(known, 'lapsed', true), now);
    return;
  }
  const change = {
    payment: { ...known, status: 'UNKNOWN' as const },
    eventType: 'PAYMENT_UNKNOWN' as const,
    facts: { reason: UNTOLD },
    isTold: true,
  };
  const unknown = yield* transition(deps, payment, change, now);
  yield* flagPayment(deps, unknown, UNTOLD, now);
}
