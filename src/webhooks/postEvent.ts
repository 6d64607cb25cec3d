/** One attempt at a delivery: signs the event, posts it and classifies the outcome. */
import type { WebhookLog } from '../../protocol/webhook/subscription.ts';
import type { HttpExchange, SafeClient } from '../fetch/safeClient.ts';

/** Limits of an exchange, and how much of an answer is read and kept. */
export const EXCHANGE = { timeoutMs: 30_000, maxAnswerBytes: 65_536, keptBytes: 1024 } as const;

export interface Outcome {
  readonly ok: boolean;
  readonly status: number;
  readonly durationMs: number;
  readonly error: WebhookLog['error'] | undefined;
  readonly answer: string;
  /** How many seconds the answer asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
  /** The receiver says, other than by the status, that it takes nothing more. */
  readonly ended?: boolean;
}

/** An attempt at a delivery that nothing can sign: it fails here, and is tried again like any other. */
export const UNSIGNABLE: Outcome = { ok: false, status: 0, durationMs: 0, error: 'secret', answer: '' };

/** What is posted of an event. */
interface Message {
  /** In lower case; by some of them an endpoint knows who posts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Makes what an endpoint is posted. @param now milliseconds since the epoch @throws Error where it cannot be made */
export type MessageOf = (event: PostedEvent, now: number) => Message | Promise<Message>;

/** One attempt at an event. Never rejects. @param now milliseconds since the epoch */
export type Send = (client: SafeClient, event: PostedEvent, now: number) => Promise<Outcome>;

interface PostedEvent {
  readonly id: string;
  readonly body: string;
  /** Those that name the trace it belongs to. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Posts to one address. */
export function posting(url: URL, messageOf: MessageOf): Send {
  return async (client, event, now) => {
    let message: Message;
    try {
      message = await messageOf(event, now);
    } catch {
      return UNSIGNABLE;
    }
    return post(client, url, { ...message, headers: { ...event.headers, ...message.headers } });
  };
}

export async function post(client: SafeClient, url: URL, message: Message): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', ...message.headers, 'user-agent': 'Countersign-Webhooks' };
  return outcomeOf(await client.exchange({ method: 'POST', url, headers, body: message.body }));
}

function outcomeOf(exchange: HttpExchange): Outcome {
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
    retryAfterSeconds: exchange.retryAfterSeconds,
  };
}
