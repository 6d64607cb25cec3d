/** How errors are documented: one shape, its codes by status, the headers that go with it. */
import { FAULTS, type FaultCode, type FaultMapping, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import { ERRORS_PATH } from '../../gates/rest/respond.ts';
import type { UseCase } from '../../usecase/useCase.ts';
import { COMPONENTS } from '../schemas/jsonSchema.ts';

interface ErrorText {
  readonly name: string;
  readonly description: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** Every status an error may have over HTTP. */
const ERRORS: Readonly<Record<number, ErrorText>> = {
  400: {
    name: 'BadRequest',
    description: 'Something in the request is wrong; `details` names the members.',
    message: 'request.currency: must be an active ISO 4217 code in upper case, such as USD',
    details: [{ path: 'request.currency', message: 'must be an active ISO 4217 code in upper case, such as USD' }],
  },
  401: {
    name: 'Unauthorized',
    description: 'No credential, or one that is not valid.',
    message: 'Send a credential: "Authorization: Bearer <API key or token>", or X-DID-Proof.',
  },
  403: {
    name: 'Forbidden',
    description: 'The credential is valid, but does not allow this.',
    message: 'This needs the permission "admin".',
  },
  404: {
    name: 'NotFound',
    description: 'There is no such record, or it belongs to another tenant.',
    message: 'There is no intent intent_01kb2c5wz0e6m4j8r1t3v7x9yb.',
  },
  406: {
    name: 'NotAcceptable',
    description: 'The header `Accept` names none of the forms that there are.',
    message: 'A status list is served as application/vc and application/vc+jwt; name one of them in Accept.',
  },
  409: {
    name: 'Conflict',
    description: 'The current state does not allow it, or the idempotency key belongs to another request.',
    message: 'This idempotency key was used for another request; use a new key for a new request.',
  },
  410: {
    name: 'Gone',
    description: 'It was there, and is not any more.',
    message: 'The key that signed status list 3 is used no more; no mandate in it holds.',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'It was changed since it was read with the ETag of `If-Match`.',
    message: 'It was changed since it was read. Read it again, and change that.',
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is too large.',
    message: 'The body must be at most 262144 bytes.',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    message: 'Send the body as "Content-Type: application/json".',
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; `Retry-After` says when to try again.',
    message: 'Too many requests; try again in 2 s.',
  },
  500: {
    name: 'InternalError',
    description: 'Something went wrong here, and was logged under the request id.',
    message: WENT_WRONG,
  },
  503: {
    name: 'Unavailable',
    description: 'The node cannot answer now; the same request may be sent again, when `Retry-After` says.',
    message: 'The node is stopping; send this to another one.',
  },
};

/** The statuses of errors that a use case may answer with over a route. */
export function errorStatuses(useCase: UseCase, takesBody: boolean): number[] {
  const own = (useCase.faults ?? []).map((code) => FAULTS[code].http);
  return [
    400,
    401,
    ...(useCase.permission === 'self' ? [] : [403]),
    ...(useCase.sandboxOnly === true ? [404] : []),
    ...own,
    ...(useCase.idempotent === true ? [409] : []),
    ...(takesBody ? [413, 415] : []),
    429,
    500,
    503,
  ];
}

/** A reference to each error's description, by status. */
export function errorAnswers(statuses: readonly number[]): Record<string, unknown> {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return Object.fromEntries(
    sorted.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status]?.name}` }]),
  );
}

/** The descriptions those references lead to. */
export function errorComponents(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, { name, description, message, details }]) => {
      const codes = codesOf(Number(status));
      const error = {
        code: codes[0],
        message,
        requestId: 'req_01kb2c5wz0a1b2c3d4e5f6g7h8',
        docs: `http://localhost:8402${ERRORS_PATH}#${codes[0]}`,
        ...(details && { details }),
      };
      return [
        name,
        {
          description: `${description} Codes: ${codes.join(', ')}.`,
          headers: ['429', '503'].includes(status) ? { ...headers, ...retryAfter } : headers,
          content: {
            'application/json': { schema: { $ref: `${COMPONENTS}ErrorBody` }, example: { error } },
            'application/problem+json': { schema: { $ref: `${COMPONENTS}Problem` } },
          },
        },
      ];
    }),
  );
}

/** The codes that callers see with a status. */
function codesOf(status: number): string[] {
  const codes = (Object.entries(FAULTS) as [FaultCode, FaultMapping][])
    .filter(([, mapping]) => mapping.http === status)
    .map(([code, mapping]) => mapping.shownAs ?? code);
  return [...new Set(codes)];
}
