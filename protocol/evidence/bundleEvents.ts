/** Verifies the events of a portable bundle: unchanged, in order, and of this transaction. */
import { canonical } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { genesisHash, hashEvent } from './chain.ts';

export function verifyEvents(suite: Suite, bundle: PortableBundle, issuers: readonly string[]): Wrong {
  const fault = (reason: string): Wrong => ({ part: 'events', reason });
  if (bundle.events.length !== bundle.eventCount) {
    return fault(`The bundle was made of ${bundle.eventCount} events and has ${bundle.events.length}.`);
  }
  let before: PortableBundle['events'][number] | undefined;
  for (const event of bundle.events) {
    const { seq } = event;
    if (before !== undefined && seq <= before.seq) return fault(`Event ${seq} stands after event ${before.seq}.`);
    if (event.data.transactionId !== bundle.transactionId) return fault(`Event ${seq} is of another transaction.`);
    if (hashEvent(suite, { ...event, dataText: canonical(event.data) }) !== event.hashCurr) {
      return fault(`The content of event ${seq} (${event.eventType}) does not match its hash.`);
    }
    const previous =
      seq === 1
        ? genesisHash(suite, String(issuers[0]), bundle.tenantId)
        : before?.seq === seq - 1
          ? before.hashCurr
          : undefined;
    if (previous !== undefined && event.hashPrev !== previous) {
      return fault(`Event ${seq} does not follow the event before it.`);
    }
    before = event;
  }
  return undefined;
}
