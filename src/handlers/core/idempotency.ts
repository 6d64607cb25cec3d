/** The memory of requests that may come twice, shared by both gates. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { deleteRequest, findRequest, type RequestRow, saveRequest } from '../../store/statements/callers/requests.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from './deps.ts';

/** How long a request is remembered. */
export const MEMORY_SECONDS = 24 * 3600;

export interface Remembered {
  readonly tenantId: string;
  readonly scope: string;
  readonly key: string;
  /** What must be equal for a request to be the same. */
  readonly hash: string;
  readonly gate: 'rest' | 'a2a';
  /** What the gate needs to finish the answer should this process not live to do it. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** True when the answer carries a token and must be sealed. */
  readonly secret: boolean;
}

/**
 * The answer this very request got before.
 * @param mismatch the fault for another request under the same key
 */
export function* recall(
  deps: Deps,
  request: Remembered,
  now: number,
  mismatch: () => Fault,
): Script<string | undefined> {
  const row = yield* findRequest(request.tenantId, request.scope, request.key);
  if (row === undefined || row.created_at <= now - MEMORY_SECONDS * 1000) return undefined;
  if (row.hash !== request.hash) throw mismatch();
  if (row.state === 'OPEN' || row.answer === null) {
    throw new Fault('CONFLICT', 'The first of these requests is still being answered.');
  }
  return request.secret ? deps.sealer.open(row.answer, sealContext(request)) : row.answer;
}

/** Notes that the request is being answered over more than one commit. */
export function* markRequest(request: Remembered, attemptKey: string, now: number): Script<void> {
  yield* saveRequest(rowOf(request, { state: 'OPEN', answer: null, attempt_key: attemptKey }, now));
}

/** Keeps the answer. */
export function* keepAnswer(deps: Deps, request: Remembered, answer: string, now: number): Script<void> {
  const kept = request.secret ? deps.sealer.seal(answer, sealContext(request)) : answer;
  yield* saveRequest(rowOf(request, { state: 'DONE', answer: kept, attempt_key: null }, now));
}

export function* releaseRequest(request: Remembered): Script<void> {
  yield* deleteRequest(request.tenantId, request.scope, request.key);
}

function rowOf(
  request: Remembered,
  state: Pick<RequestRow, 'state' | 'answer' | 'attempt_key'>,
  now: number,
): RequestRow {
  return {
    tenant_id: request.tenantId,
    scope: request.scope,
    request_key: request.key,
    hash: request.hash,
    gate: request.gate,
    envelope: JSON.stringify(request.envelope),
    created_at: now,
    ...state,
  };
}

function sealContext(request: Remembered): string {
  return `answer ${request.tenantId} ${request.scope} ${request.key}`;
}
