/** What an event of evidence says happened, in words. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { evidenceText } from './evidenceText.ts';

export function happenedText({ eventType, data }: Pick<EvidenceEvent, 'eventType' | 'data'>): string {
  const words = evidenceText(eventType);
  // Where a server asked for money by HTTP, no shop has signed a cart.
  const said = data['source'] === undefined ? words : words.replace('The shop’s cart', 'What the server asks');
  return asksPerson({ eventType, data }) ? said.replace('was not accepted', 'needs a person') : said;
}

/** A cart that only lacks a person is not refused: the person is asked next. */
export function asksPerson({ eventType, data }: Pick<EvidenceEvent, 'eventType' | 'data'>): boolean {
  const codes = data['reasonCodes'];
  return eventType === 'CART_REJECTED' && Array.isArray(codes) && codes.join() === 'HP_REQUIRED';
}
