/** What an event of evidence says happened, in words. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { evidenceText } from './evidenceText.ts';

export function happenedText(event: Pick<EvidenceEvent, 'eventType' | 'data'>): string {
  return asksPerson(event) ? 'Cart needs a person' : evidenceText(event.eventType);
}

/** A cart that only lacks a person is not refused: the person is asked next. */
export function asksPerson({ eventType, data }: Pick<EvidenceEvent, 'eventType' | 'data'>): boolean {
  const codes = data['reasonCodes'];
  return eventType === 'CART_REJECTED' && Array.isArray(codes) && codes.join() === 'HP_REQUIRED';
}
