/** Follows every request from its question to its end: what was asked by whom, and what its asker knows of the outcome. */
import type { Happening } from '../history.ts';

/** A request. Places are places in the history. */
export interface Asked {
  readonly id: number;
  readonly by: string;
  readonly did: string | undefined;
  readonly node: number;
  readonly call: string;
  readonly input: unknown;
  readonly key: string | undefined;
  readonly place: number;
  readonly at: number;
  /** Undefined while it is under way. */
  end?: { readonly place: number; readonly at: number; readonly answer?: Answer };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class Calls {
  readonly #calls = new Map<number, Asked>();

  /** @returns the request that the happening is about, once it has its new state */
  follow(happening: Happening, place: number): Asked | undefined {
    if (happening.kind === 'asked') {
      const { id, by, did, node, call, input, key, at } = happening;
      const asked: Asked = { id, by, did, node, call, input, key, place, at };
      this.#calls.set(id, asked);
      return asked;
    }
    if (happening.kind !== 'answered' && happening.kind !== 'unanswered') return undefined;
    const asked = this.#calls.get(happening.id);
    if (asked === undefined || asked.end !== undefined) return undefined;
    const { at } = happening;
    asked.end = happening.kind === 'answered' ? { place, at, answer: answerIn(happening) } : { place, at };
    return asked;
  }

  /** Forgets requests that had ended before a place. */
  forget(place: number): void {
    for (const [id, { end }] of this.#calls) if (end !== undefined && end.place < place) this.#calls.delete(id);
  }

  find(id: number): Asked | undefined {
    return this.#calls.get(id);
  }

  /** All of them, in the order in which they were asked. */
  all(): Iterable<Asked> {
    return this.#calls.values();
  }
}

/** @returns the answer's body where the request was answered well; undefined otherwise */
export function doneBody({ end }: Asked): unknown {
  const answer = end?.answer;
  return answer !== undefined && answer.status >= 200 && answer.status < 300 ? answer.body : undefined;
}

/** Whether it may have had an effect without its asker knowing of it. */
export function mayBeDone({ end }: Asked): boolean {
  const answer = end?.answer;
  // Of a request that the network doubled the first answer may be that to its twin, whose proof was used by then.
  const isTwin = answer?.status === 401 && JSON.stringify(answer.body).includes('used before');
  return answer === undefined || answer.status >= 500 || isTwin;
}

/** What A2A says in JSON-RPC is told as REST says it: one request has one meaning in both. */
function answerIn({ status, body }: Answer): Answer {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0') return { status, body };
  const { result, error } = body;
  if (isRecord(error)) {
    const data = error['data'];
    const isRefusal = isRecord(data) && data['allowed'] === false;
    return isRefusal ? { status: 200, body: data } : { status: STATUS_OF[Number(error['code'])] ?? 400, body: error };
  }
  const message = isRecord(result) ? result['message'] : undefined;
  return { status: 200, body: isRecord(message) ? message['body'] : result };
}

const STATUS_OF: Readonly<Record<number, number>> = {
  [-32603]: 500,
  [-32001]: 401,
  [-32003]: 429,
  [-32004]: 404,
  [-32005]: 409,
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
