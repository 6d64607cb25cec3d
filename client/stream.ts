/** Answers that come in pieces: what is too long to be held in memory, and changes as they happen. */
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

/**
 * Yields the bytes of the backup that the node keeps, as they come. The request is sent once, and without a time limit.
 * @throws CountersignError and reasons as streamEvidence
 */
export function streamBackup(options: ClientOptions, abortable: Abortable = {}): AsyncGenerator<Uint8Array> {
  return bytesOf(options, operations.downloadBackup, {}, abortable);
}

/**
 * Yields the bytes of the zip archive that answers a payment's disputes. The request is sent once, and without a time limit.
 * @throws CountersignError and reasons as streamEvidence
 */
export function streamDisputePack(
  options: ClientOptions,
  mandateId: string,
  abortable: Abortable = {},
): AsyncGenerator<Uint8Array> {
  return bytesOf(options, operations.downloadDisputePack, { mandateId }, abortable);
}

/**
 * Yields a month's journal in double entry, as CSV or for Beancount. The request is sent once, and without a time limit.
 * @throws CountersignError and reasons as streamEvidence
 */
export async function* streamJournal(
  options: ClientOptions,
  input: Operations['exportJournal']['input'],
  abortable: Abortable = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytesOf(options, operations.exportJournal, input, abortable)) {
    yield decoder.decode(piece, { stream: true });
  }
}

/** The lists that a node writes as CSV, too. */
export type CsvName = 'listPayments' | 'listDisputes' | 'listDecisions' | 'showSpend';

/**
 * Yields all that a list's filter finds as CSV, cut anywhere. The request is sent once, and without a time limit.
 * @throws CountersignError and reasons as streamEvidence
 */
export function streamCsv<Name extends CsvName>(
  options: ClientOptions,
  name: Name,
  input: Operations[Name]['input'] = {},
  abortable: Abortable = {},
): AsyncGenerator<string> {
  return piecesOf(options, operations[name], input, abortable, { Accept: 'text/csv' });
}

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

/** Yields the text of an answer as it comes, cut anywhere. @param headers besides those of every request @throws as streamEvidence */
export async function* piecesOf(
  options: ClientOptions,
  row: Row,
  input: Input,
  abortable: Abortable,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of bytesOf(options, row, input, abortable, headers))
    yield decoder.decode(bytes, { stream: true });
}

/** Yields the bytes of an answer as they come. @throws as streamEvidence */
export async function* bytesOf(
  options: ClientOptions,
  row: Row,
  input: Input,
  abortable: Abortable,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array> {
  const response = await responseTo(options, row, input, abortable, headers);
  if (!response.ok || response.body === null) {
    throw errorOf({ status: response.status, headers: response.headers, text: await response.text() });
  }
  if (mediaTypeOf(response.headers) === 'text/html') throw unusable(response, 'The answer is a page.');
  yield* bytesIn(response, abortable);
}

/** Asks once, and without a time limit. @throws CountersignError NETWORK when no answer comes; a signal's reason once it is aborted */
export async function responseTo(
  options: ClientOptions,
  row: Row,
  input: Input,
  { signal }: Abortable,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  signal?.throwIfAborted();
  const { url, method, headers, body } = await requestMaker(options)(row, input, { signal }).make();
  const rest = { ...(body === undefined ? {} : { body }), ...(signal === undefined ? {} : { signal }) };
  return (options.fetch ?? fetch)(url, { method, headers: { ...headers, ...more }, ...rest }).catch((cause) => {
    signal?.throwIfAborted();
    throw noAnswer(cause);
  });
}

/** Yields the bytes of a body as they come. @throws CountersignError where it breaks off; a signal's reason once it is aborted */
export async function* bytesIn({ status, body }: Response, { signal }: Abortable): AsyncGenerator<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
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
