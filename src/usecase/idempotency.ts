/** Requests that may come more than once and have one effect: remembered by key, with the answer the first one got. */
import { Fault, type FaultCode } from '../../protocol/wire/fault.ts';
import {
  deleteRequest,
  findRequest,
  noteNoRequest,
  type RequestRow,
  saveRequest,
} from '../store/statements/callers/requests.ts';
import type { Script } from '../store/store.ts';
import type { MessageReply } from './call.ts';
import type { Deps } from './deps.ts';

/** How long a request is remembered. */
const REQUEST_SECONDS = 24 * 3600;

export interface RequestKey {
  readonly tenantId: string;
  /** Whose keys these are: caller and route, or the sender of a message. */
  readonly scope: string;
  readonly key: string;
  /** Equal for the same request, and for no other. */
  readonly hash: string;
  /** What another request under the same key is told. */
  readonly reused: { readonly code: FaultCode; readonly message: string };
  /** For a message: what it takes to write its answer, should this process not live to do it. */
  readonly reply?: MessageReply | undefined;
  /** True when the answer carries a token, so that it is sealed. */
  readonly secret: boolean;
}

/**
 * The text that this very request was answered with before.
 * @throws Fault as `reused` says for another request under the same key; CONFLICT while the first one is in flight
 */
export function* recallRequest(
  deps: Pick<Deps, 'sealer'>,
  request: RequestKey,
  now: number,
): Script<string | undefined> {
  const row = yield* findRequest(request.tenantId, request.scope, request.key);
  return answerIn(deps, request, row, now);
}

/** As recallRequest, with what was found under the request's key; that there was nothing is known to the commit that follows. */
export function* storedAnswer(
  deps: Pick<Deps, 'sealer'>,
  request: RequestKey,
  row: RequestRow | undefined,
  now: number,
): Script<string | undefined> {
  if (row === undefined) yield* noteNoRequest(request.tenantId, request.scope, request.key);
  return answerIn(deps, request, row, now);
}

function answerIn(
  deps: Pick<Deps, 'sealer'>,
  request: RequestKey,
  row: RequestRow | undefined,
  now: number,
): string | undefined {
  if (row === undefined || row.created_at <= now - REQUEST_SECONDS * 1000) return undefined;
  if (row.hash !== request.hash) throw new Fault(request.reused.code, request.reused.message);
  if (row.state === 'OPEN' || row.answer === null) {
    throw new Fault('CONFLICT', 'The first of these requests is still being answered.');
  }
  // One that was kept before its kind was sealed is as it was written.
  return isSealed(row.answer) ? deps.sealer.open(row.answer, sealContext(request)) : row.answer;
}

/** Notes that the request is being answered over more than one commit, so that a crash in between can be made good. */
export function* markRequest(request: RequestKey, attemptKey: string, now: number): Script<void> {
  yield* saveRequest(rowOf(request, { state: 'OPEN', answer: null, attempt_key: attemptKey }, now));
}

/** Keeps the answer. */
export function* keepAnswer(
  deps: Pick<Deps, 'sealer'>,
  request: RequestKey,
  answer: string,
  now: number,
): Script<void> {
  const kept = request.secret ? deps.sealer.seal(answer, sealContext(request)) : answer;
  yield* saveRequest(rowOf(request, { state: 'DONE', answer: kept, attempt_key: null }, now));
}

/** Takes the mark back, so that the request may be made again. */
export function* releaseRequest(request: RequestKey): Script<void> {
  yield* deleteRequest(request.tenantId, request.scope, request.key);
}

function rowOf(
  request: RequestKey,
  state: Pick<RequestRow, 'state' | 'answer' | 'attempt_key'>,
  now: number,
): RequestRow {
  return {
    tenant_id: request.tenantId,
    scope: request.scope,
    request_key: request.key,
    hash: request.hash,
    gate: request.reply === undefined ? 'rest' : 'a2a',
    envelope: JSON.stringify(request.reply ?? {}),
    created_at: now,
    ...state,
  };
}

/** No answer that is not sealed begins like that. */
function isSealed(answer: string): boolean {
  return answer.startsWith('v1.');
}

function sealContext({ tenantId, scope, key }: RequestKey): string {
  return sealContextOf({ tenant_id: tenantId, scope, request_key: key });
}

/** What the answer in a row is sealed for. */
export function sealContextOf(row: Pick<RequestRow, 'tenant_id' | 'scope' | 'request_key'>): string {
  return `answer ${row.tenant_id} ${row.scope} ${row.request_key}`;
}
