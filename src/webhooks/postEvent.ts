/** One attempt at a delivery: signs the event, posts it and classifies the outcome. */
import type { WebhookLog } from '../../protocol/webhook/subscription.ts';
import type { Exchange, SafeClient } from '../fetch/safeClient.ts';

/** Limits of an exchange, and how much of an answer is read and kept. */
export const EXCHANGE = { timeoutMs: 30_000, maxAnswerBytes: 65_536, keptBytes: 1024 } as const;

export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly durationMs: number;
  readonly error: WebhookLog['error'] | undefined;
  readonly answer: string;
}

/** An attempt at a delivery that nothing can sign: it fails here, and is tried again like any other. */
export const UNSIGNABLE: Outcome = { ok: false, status: 0, durationMs: 0, error: 'secret', answer: '' };

/** The headers that an endpoint knows a post by. @param now milliseconds since the epoch */
export type HeadersOf = (event: PostedEvent, now: number) => Record<string, string>;

interface PostedEvent {
  readonly id: string;
  readonly body: string;
}

/** @param now milliseconds since the epoch */
export async function post(
  client: SafeClient,
  url: URL,
  event: PostedEvent,
  headersOf: HeadersOf,
  now: number,
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    ...headersOf(event, now),
    'user-agent': 'Countersign-Webhooks',
  };
  return outcomeOf(await client.exchange({ method: 'POST', url, headers, body: event.body }));
}

function outcomeOf(exchange: Exchange): Outcome {
  const { status, failure } = exchange;
  const ok = failure === undefined && status >= 200 && status < 300;
  const redirect = status >= 300 && status < 400;
  return {
    ok,
    status,
    durationMs: Math.round(exchange.durationMs),
    error: ok ? undefined : (failure ?? (redirect ? 'redirect' : 'status')),
    // The store refuses U+0000.
    answer: exchange.answer.toString('utf8').replaceAll('\0', ''),
  };
}
