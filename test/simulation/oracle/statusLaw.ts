/**
 * I7 of status lists: once all is quiet, the bit of each mandate that was handed out says whether the chain has ended it, and no two
 * mandates share a place.
 */
import type { Books, Happening, Violation } from '../history.ts';
import { type Law, violated } from './law.ts';
import { type Event, eventOf } from './shapes.ts';

interface Mandate {
  readonly id: string;
  readonly agent: string;
  readonly principal: string;
  readonly place: string;
  /** Why it no longer holds; undefined while it does. */
  endedBy: string | undefined;
  /** Whether a rail has answered, so that the end of its agent changes nothing. */
  isDecided: boolean;
}

/** What ends the mandate of a payment. */
const ENDS: readonly string[] = ['PAYMENT_FAILED', 'PAYMENT_CANCELED'];

export class StatusLaw implements Law {
  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind !== 'quiet' || happening.books.sinceSeq !== undefined) return [];
    return this.#judge(happening.books).map((sentence) => violated('I7', sentence, place));
  }

  #judge({ events, statuses = new Map() }: Books): readonly string[] {
    const mandates = new Map<string, Mandate>();
    for (const event of events) follow(mandates, eventOf(event));
    const found: string[] = [];
    const taken = new Map<string, string>();
    for (const { id, place, endedBy } of mandates.values()) {
      const other = taken.get(place);
      if (other !== undefined) found.push(`${id} and ${other} have the same place ${place} in a status list.`);
      taken.set(place, id);
      const isSet = statuses.get(place);
      if (isSet === undefined) found.push(`${id} has the place ${place}, which no status list has.`);
      else if (isSet && endedBy === undefined) found.push(`The status list ends ${id}, which nothing has ended.`);
      else if (!isSet && endedBy !== undefined) found.push(`The status list lets ${id} hold, which ${endedBy} ended.`);
    }
    return found;
  }
}

function follow(mandates: Map<string, Mandate>, { eventType, data, seq }: Event): void {
  const by = `${eventType} (event ${seq})`;
  const end = (id: unknown) => {
    const mandate = mandates.get(String(id));
    if (mandate !== undefined) mandate.endedBy ??= by;
  };
  if (eventType === 'PM_ISSUED') end(data['intentId']);
  if (eventType === 'INTENT_ISSUED' || eventType === 'PM_ISSUED') {
    const { mandateId: id, agentDid: agent, principalDid: principal, status } = data;
    if (status === undefined) return;
    const { list, idx } = status as { readonly list: number; readonly idx: number };
    const isDecided = false;
    const named = { id: String(id), agent: String(agent), principal: String(principal), place: `${list}#${idx}` };
    mandates.set(named.id, { ...named, endedBy: undefined, isDecided });
  }
  if (eventType === 'INTENT_EXPIRED' && data['reason'] !== undefined) end(data['mandateId']);
  if (ENDS.includes(eventType)) end(data['mandateId']);
  if (eventType === 'PAYMENT_AUTHORIZED') {
    const mandate = mandates.get(String(data['mandateId']));
    if (mandate !== undefined) mandate.isDecided = true;
  }
  if (eventType === 'AGENT_REVOKED') {
    for (const { id, agent, isDecided } of mandates.values()) if (agent === data['agentDid'] && !isDecided) end(id);
  }
  if (eventType === 'DELEGATION_CHANGED') {
    const removed = (data['removed'] ?? []) as readonly unknown[];
    for (const { id, agent, principal } of mandates.values()) {
      if (id.startsWith('intent_') && principal === data['principalDid'] && removed.includes(agent)) end(id);
    }
  }
}
