/** Answers that come in pieces: an evidence export that is too long to be held in memory, and changes as they happen. */
import { CountersignError, errorOf, mediaTypeOf, unusable } from './error.ts';
import { type Operations, operations, type Row } from './operations.ts';
import { type ClientOptions, type Input, requestMaker } from './request.ts';
import { type Abortable, noAnswer } from './transport.ts';

/**
 * Yields the text of an export, cut anywhere. The request is sent once, and without a time limit.
 * @throws CountersignError when the node does not answer, answers with an error, or breaks off; a signal's reason once
 * it is aborted
 */
export function streamEvidence(
  options: ClientOptions,
  input: Operations['exportEvidence']['input'] = {},
  abortable: Abortable = {},
): AsyncGenerator<string> {
  return piecesOf(options, operations.exportEvidence, input, abortable);
}

/** Yields the text of an answer as it comes, cut anywhere. @throws as streamEvidence */
export async function* piecesOf(
  options: ClientOptions,
  row: Row,
  input: Input,
  { signal }: Abortable,
): AsyncGenerator<string> {
  signal?.throwIfAborted();
  const { url, method, headers } = await requestMaker(options)(row, input, { signal }).make();
  const ended = signal === undefined ? {} : { signal };
  const response = await (options.fetch ?? fetch)(url, { method, headers, ...ended }).catch((cause) => {
    signal?.throwIfAborted();
    throw noAnswer(cause);
  });
  const { status, body } = response;
  if (!response.ok || body === null) {
    throw errorOf({ status, headers: response.headers, text: await response.text() });
  }
  if (mediaTypeOf(response.headers) === 'text/html') throw unusable(response, 'The answer is a page.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      // What came already is given no further either.
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch((cause) => {
        signal?.throwIfAborted();
        throw new CountersignError('INVALID_ANSWER', 'The answer broke off.', { status, cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
