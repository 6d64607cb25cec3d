/** Records a decision on a purchase, and signs the verdict on it where its caller asks for one. */

import { hashText } from '../../../protocol/credential/canonical.ts';
import { signEs256Jwt } from '../../../protocol/credential/es256Jwt.ts';
import { type DecisionType, VERDICT_TYPE, verdictClaims } from '../../../protocol/policy/verdict.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

export type DecisionDeps = EventDeps & Pick<Deps, 'receiptSigner'>;

interface DecisionToRecord {
  readonly eventType: DecisionType;
  /** The agent that asked. */
  readonly actorDid: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * @param formats in which the caller wants the answer
 * @param now milliseconds since the epoch
 * @returns the verdict, whose hash the event has; undefined where none was asked for
 */
export function* recordDecision(
  deps: DecisionDeps,
  tenantId: string,
  { eventType, actorDid, data }: DecisionToRecord,
  formats: readonly string[] | undefined,
  now: number,
): Script<string | undefined> {
  if (formats?.includes('verdict') !== true) {
    yield* recordEvent(deps, tenantId, { eventType, actorDid, data }, now);
    return undefined;
  }
  const id = deps.newId('evt_');
  const claims = verdictClaims({ eventType, id, data }, deps.settings.baseUrl, now);
  const verdict = signEs256Jwt(deps.receiptSigner, claims, VERDICT_TYPE);
  const recorded = { ...data, verdict: hashText(deps.suite, verdict) };
  yield* recordEvent(deps, tenantId, { id, eventType, actorDid, data: recorded }, now);
  return verdict;
}
