/** A replay of recorded requests under a draft, with its progress as it goes. */
import { type Operations, operations } from './operations.ts';
import type { ClientOptions } from './request.ts';
import { piecesOf } from './stream.ts';
import type { Abortable } from './transport.ts';

/** How many of the events were looked at, or what came out. */
export type ReplayLine =
  | { readonly checked: number; readonly of: number }
  | { readonly result: Exclude<Operations['replayDraft']['output'], string> };

/**
 * Yields how far a replay is, and its result last. It ends at the node too when the caller stops reading.
 * @throws CountersignError when the node does not answer, answers with an error, or breaks off; a signal's reason once
 * it is aborted
 */
export async function* followReplay(
  options: ClientOptions,
  input: Operations['replayDraft']['input'] = {},
  abortable: Abortable = {},
): AsyncGenerator<ReplayLine> {
  let text = '';
  for await (const piece of piecesOf(options, operations.replayDraft, { ...input, format: 'ndjson' }, abortable)) {
    text += piece;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as ReplayLine;
  }
}
