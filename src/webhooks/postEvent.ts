/** One attempt at a delivery: signs the event, posts it and classifies the outcome. */
import type { HttpExchange, SafeClient } from '../fetch/safeClient.ts';
import type { Outcome, PostedEvent, Send } from '../usecase/deliveryKind.ts';

/** Limits of an exchange, and how much of an answer is read and kept. */
export const EXCHANGE = { timeoutMs: 30_000, maxAnswerBytes: 65_536, keptBytes: 1024 } as const;

/** An attempt at a delivery that nothing can sign: it fails here, and is tried again like any other. */
export const UNSIGNABLE: Outcome = { ok: false, status: 0, durationMs: 0, error: 'secret', answer: '' };

/** What is posted of an event. */
interface Message {
  /** In lower case; by some of them an endpoint knows who posts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Makes what an endpoint is posted. @param now milliseconds since the epoch @throws Error where it cannot be made */
type MessageOf = (event: PostedEvent, now: number) => Message | Promise<Message>;

/** Posts to one address. */
export function posting(url: URL, messageOf: MessageOf): Send {
  return async (client, event, now) => {
    let message: Message;
    try {
      message = await messageOf(event, now);
    } catch {
      return UNSIGNABLE;
    }
    return outcomeOf(await post(client, url, { ...message, headers: { ...event.headers, ...message.headers } }));
  };
}

export function post(client: SafeClient, url: URL, message: Message): Promise<HttpExchange> {
  const headers = { 'content-type': 'application/json', ...message.headers, 'user-agent': 'Countersign-Webhooks' };
  return client.exchange({ method: 'POST', url, headers, body: message.body });
}

export function outcomeOf(exchange: HttpExchange): Outcome {
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
