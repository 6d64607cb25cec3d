/** What the demos print: a line a step, with its sign. */
import type { Client, Refusal } from '../../../client/index.ts';
import { colour } from '../output/print.ts';

export function printLines(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

export function printStep(kind: 'ok' | 'no', text: string): void {
  printLines(`   ${kind === 'ok' ? colour.green('✓') : colour.red('✗')} ${text}`);
}

export function printRefusal({ reasonCodes, details }: Pick<Refusal, 'reasonCodes' | 'details'>): void {
  printStep('no', reasonCodes.map((code) => `${code}: ${details[code]?.message}`).join(' '));
}

export async function printEvidence(node: Pick<Client, 'verifyEvidence'>): Promise<void> {
  const { eventsVerified, valid } = await node.verifyEvidence();
  const verdict = valid ? colour.green('valid') : colour.red('BROKEN');
  printLines('', `Evidence: ${eventsVerified} chained events, ${verdict}.`);
}
