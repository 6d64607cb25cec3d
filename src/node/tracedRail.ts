/** A rail whose requests are spans. They name the rail and how it answered, and nothing of the payment. */
import type { Rail } from '../rails/rail.ts';
import type { Tracing } from '../usecase/tracing.ts';

export function tracedRail(name: string, rail: Rail, tracing: Tracing): Rail {
  const traced = <T extends { readonly kind: string } | undefined>(
    operation: string,
    ask: () => Promise<T>,
  ): Promise<T> =>
    tracing.span(`rail ${operation}`, 'client', async (span) => {
      span.set({ 'countersign.rail': name, 'countersign.rail.operation': operation });
      const outcome = await ask();
      span.set({ 'countersign.rail.outcome': outcome?.kind ?? 'none' });
      if (outcome?.kind === 'unknown') span.fail('unknown');
      return outcome;
    });
  return {
    ...rail,
    authorize: (key, request) => traced('authorize', () => rail.authorize(key, request)),
    capture: (key, request) => traced('capture', () => rail.capture(key, request)),
    cancel: (key, request) => traced('cancel', () => rail.cancel(key, request)),
    refund: (key, request) => traced('refund', () => rail.refund(key, request)),
    status: (attempt, signal) => traced('status', () => rail.status(attempt, signal)),
  };
}
