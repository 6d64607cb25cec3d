/** One HTTP request of standard A2A: its body, who calls, and whom it is charged to. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STANDARD_PATH } from '../../../../protocol/a2a/cards.ts';
import type { RequestCredential } from '../../../core/callerOf.ts';
import { isVouchedFor, readCredential, shownCredential } from '../../../gates/shell/callers.ts';
import type { Gate } from '../../../gates/shell/gate.ts';
import { type RequestMeter, requestMeter } from '../../../gates/shell/requestRecord.ts';

export interface StandardRequest {
  readonly gate: Gate;
  readonly http: IncomingMessage;
  readonly meter: RequestMeter;
  readonly requestId: string;
  /** The credential of the headers; undefined where there is none. @throws Fault for one that cannot be this node's */
  credential(): RequestCredential | undefined;
  /** Whether that credential is one of a caller that is known and has calls left. */
  isVouched(): Promise<boolean>;
}

/** A call whose parameters are members. */
export interface StandardCall {
  readonly id: string | number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A request whose body is still to be read, before which no credential can be: a proof is over it. */
interface Unread {
  readonly request: StandardRequest;
  /** @throws Fault of HTTP */
  read(response: ServerResponse): Promise<Buffer>;
}

/** There from the first moment, so that what is wrong with a body is charged as well. */
export function standardRequest(gate: Gate, http: IncomingMessage): Unread {
  let body: Buffer = Buffer.alloc(0);
  const meter = requestMeter(gate, http);
  let known: RequestCredential | undefined;
  const request: StandardRequest = {
    gate,
    http,
    meter,
    requestId: gate.newId('req_'),
    credential() {
      const { authorization, 'x-did-proof': proof } = http.headers;
      if (authorization === undefined && proof === undefined) return undefined;
      const carrier = { method: 'POST', path: STANDARD_PATH, headers: http.headers };
      // Read once: a proof is spent by one request, and each reading would be another.
      known ??= readCredential(gate, carrier, shownCredential(carrier), body);
      return known;
    },
    isVouched: () => isVouchedFor(gate, meter.address, request.credential),
  };
  return {
    request,
    async read(response) {
      if (http.method === 'POST') body = await gate.bodies.read(http, response);
      return body;
    },
  };
}
