/** Streams an evidence export, for chains that are too long to be held in memory. */
import { CountersignError, errorOf } from './error.ts';
import { type Operations, operations } from './operations.ts';
import { type ClientOptions, requestMaker } from './request.ts';

/**
 * Yields the text of an export, cut anywhere. The request is sent once, and without a time limit.
 * @throws CountersignError when the node does not answer, answers with an error, or breaks off
 */
export async function* streamEvidence(
  options: ClientOptions,
  input: Operations['exportEvidence']['input'] = {},
): AsyncGenerator<string> {
  const { url, method, headers } = await requestMaker(options)(operations.exportEvidence, input).make();
  const response = await (options.fetch ?? fetch)(url, { method, headers }).catch((cause) => {
    throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0, cause });
  });
  if (!response.ok || response.body === null) {
    throw errorOf(response.status, response.headers, await response.text());
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw new CountersignError('INVALID_ANSWER', 'The answer broke off.', { status: response.status, cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
