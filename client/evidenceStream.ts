/** Streams an evidence export, for chains that are too long to be held in memory. */
import { CountersignError, errorOf, mediaTypeOf, unusable } from './error.ts';
import { type Operations, operations } from './operations.ts';
import { type ClientOptions, requestMaker } from './request.ts';
import { type Abortable, noAnswer } from './transport.ts';

/**
 * Yields the text of an export, cut anywhere. The request is sent once, and without a time limit.
 * @throws CountersignError when the node does not answer, answers with an error, or breaks off; a signal's reason once
 * it is aborted
 */
export async function* streamEvidence(
  options: ClientOptions,
  input: Operations['exportEvidence']['input'] = {},
  { signal }: Abortable = {},
): AsyncGenerator<string> {
  signal?.throwIfAborted();
  const row = operations.exportEvidence;
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
  if (mediaTypeOf(response.headers) === 'text/html') throw unusable(response, 'The answer is not an export.');
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
