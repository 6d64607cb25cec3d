/** The facade's envelope: idempotency keys, and answers as JSON text. */
import { canonical, hashText } from '../../protocol/credential/canonical.ts';
import { IdempotencyKey } from '../../protocol/intent.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { bare, type Envelope } from '../handlers/core/envelope.ts';
import { keepAnswer, markRequest, type Remembered, recall, releaseRequest } from '../handlers/core/idempotency.ts';
import { parseInput } from '../handlers/core/parseInput.ts';
import { Streamed } from '../handlers/core/streamed.ts';
import type { RestWire } from './respond.ts';
import type { Route } from './routes.ts';

interface RestRequest {
  readonly caller: Caller;
  readonly route: Route;
  /** Body, query and path parameters together. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyHeader: string | undefined;
  readonly secret: boolean;
}

export function restEnvelope(deps: Deps, request: RestRequest, idempotent: boolean): Envelope<unknown, RestWire> {
  const key = idempotent ? keyOf(request) : undefined;
  if (key === undefined) {
    return {
      ...bare<never>(),
      *close(output) {
        return render(output);
      },
    };
  }
  const remembered: Remembered = {
    tenantId: request.caller.tenantId,
    scope: `rest ${request.caller.id} ${request.route.method} ${request.route.path}`,
    key,
    hash: hashText(deps.suite, canonical(request.input)),
    gate: 'rest',
    envelope: {},
    secret: request.secret,
  };
  const mismatch = () =>
    new Fault('CONFLICT', 'This idempotency key was used for another request; use a new key for a new request.');
  return {
    open: (now) => recall(deps, remembered, now, mismatch),
    mark: (attemptKey, now) => markRequest(remembered, attemptKey, now),
    release: () => releaseRequest(remembered),
    *close(output, now) {
      const text = render(output);
      if (typeof text === 'string') yield* keepAnswer(deps, remembered, text, now);
      return text;
    },
  };
}

/** An output as the facade sends it; nothing at all for undefined. */
export function render(output: unknown): RestWire {
  if (output instanceof Streamed) return output;
  return output === undefined ? '' : JSON.stringify(output);
}

function keyOf(request: RestRequest): string | undefined {
  const { idempotencyHeader: header, input } = request;
  if (header === undefined) {
    return input.idempotencyKey === undefined ? undefined : parseInput(IdempotencyKey, input.idempotencyKey);
  }
  const key = IdempotencyKey.safeParse(header);
  if (!key.success) {
    throw new Fault('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 characters.', [
      { path: 'Idempotency-Key', message: 'must have 1 to 255 characters' },
    ]);
  }
  if (input.idempotencyKey !== undefined && input.idempotencyKey !== header) {
    throw new Fault('BAD_REQUEST', 'The header Idempotency-Key and the member idempotencyKey differ; send one.');
  }
  return header;
}
