/** The evidence of one transaction: its events, and the file in which they can be checked offline. */
import type { PortableBundle } from '../../protocol/evidence/bundle.ts';
import { askForText } from './node.ts';

export interface Bundle {
  readonly text: string;
  readonly events: PortableBundle['events'];
}

/** @returns the very bytes that were signed, and what they say */
export async function loadBundle(transactionId: string): Promise<Bundle> {
  const path = `/ap2/evidence/bundle/${encodeURIComponent(transactionId)}?format=portable`;
  const text = await askForText('GET', path);
  return { text, events: (JSON.parse(text) as PortableBundle).events };
}
