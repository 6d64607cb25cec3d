/** Stands in the place of `src/fetch/undiciAgent.ts`: the node's outgoing requests go to the receivers of the world. */
import type { Agent, Dispatcher } from 'undici';

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns what ends the exchange: an answer, or why there is none */
type Receive = (
  request: Outgoing,
  answer: (status: number, text: string) => void,
  fail: (code: string) => void,
) => void;

let receive: Receive = (_request, _answer, fail) => fail('ECONNREFUSED');

/** From here on the outgoing requests of nodes come here. */
export function receiveWith(given: Receive): void {
  receive = given;
}

type Handler = Dispatcher.DispatchHandler;

export function makeAgent(): Agent {
  const agent = {
    dispatch({ origin, path, headers, body }: Dispatcher.DispatchOptions, handler: Handler): boolean {
      let aborted = false;
      const controller = {
        abort: () => {
          aborted = true;
        },
      } as unknown as Dispatcher.DispatchController;
      handler.onRequestStart?.(controller, undefined);
      const request = {
        url: `${origin}${path}`,
        headers: headers as Record<string, string>,
        body: body === null || body === undefined ? '' : String(body),
      };
      const answer = (status: number, text: string) => {
        if (aborted) return;
        handler.onResponseStart?.(controller, status, {}, '');
        handler.onResponseData?.(controller, Buffer.from(text));
        handler.onResponseEnd?.(controller, {});
      };
      const fail = (code: string) => {
        if (!aborted) handler.onResponseError?.(controller, Object.assign(new Error(code), { code }));
      };
      receive(request, answer, fail);
      return true;
    },
    async destroy(): Promise<void> {},
  };
  return agent as unknown as Agent;
}
