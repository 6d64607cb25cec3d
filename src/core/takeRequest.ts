/** The steps of a REST request in the core, once its gate has read its credential and parsed its input. */
import { Fault } from '../../protocol/wire/fault.ts';
import { type Caller, requireOpen, requirePermission } from '../access/caller.ts';
import type { Deps } from '../usecase/deps.ts';
import type { RequestKey } from '../usecase/idempotency.ts';
import { csvOf } from '../usecase/list/csv.ts';
import { reply, steps } from '../usecase/steps.ts';
import { perform, type UseCase } from '../usecase/useCase.ts';
import { callerOf, type RequestCredential } from './callerOf.ts';
import {
  type CoreReply,
  KEY_REUSED,
  type ParsedInput,
  type RequestQuota,
  type StepsResult,
  serveRequest,
} from './serveRequest.ts';
import { visitorOf } from './takeVisit.ts';

export interface RestRequest extends ParsedInput {
  /** Of the operation. */
  readonly name: string;
  /** Where it came from, as the rate limiter names it. */
  readonly address: string;
  readonly credential: RequestCredential;
  /** True where it is to be answered as CSV; only of a use case that has such a form. */
  readonly asCsv?: boolean | undefined;
  /** True for what belongs to a visit (takeVisit), which was charged. */
  readonly isCharged?: true;
  /** What takeVisit gave, where it belongs to a visit: its caller was identified then. */
  readonly visit?: string | undefined;
  /** Present where it came with an idempotency key: the key, the hash of its input, and its method and path. */
  readonly repeatable?: { readonly key: string; readonly hash: string; readonly route: string } | undefined;
}

interface Arrival {
  readonly deps: Deps;
  readonly quota: RequestQuota;
  readonly asked: RestRequest;
}

/** Authentication and the rate limit come first, then the permission, then the input. */
export const requestSteps = steps<Arrival, StepsResult>()
  .find('find the use case', ({ deps, asked }) => {
    // A gate names an operation that one of its routes has.
    const useCase = deps.operations.table[asked.name] as UseCase;
    if (useCase.sandboxOnly !== true || deps.keys.demo !== undefined) return { useCase };
    throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
  })
  .find('know the caller', async ({ deps, quota, asked }) => {
    const visitor = asked.visit === undefined ? undefined : visitorOf(deps, asked.visit);
    const caller = visitor ?? (await callerOf(deps, asked.credential));
    quota.know(caller);
    return { caller };
  })
  .check('charge the caller', ({ quota, asked }) => {
    if (asked.isCharged !== true) quota.charge();
    else quota.settle();
  })
  .check('require the permission', ({ caller, useCase }) => {
    requirePermission(caller, useCase.permission);
    requireOpen(caller, useCase);
  })
  .find('end where the input is wrong', ({ asked: { input } }) =>
    input === undefined ? reply({}) : { input: input.value },
  )
  .finish('run the use case', async ({ deps, caller, asked, useCase, input }) => {
    const { csv } = useCase;
    if (asked.asCsv === true && csv !== undefined) {
      return { body: await csvOf(deps, caller, { run: useCase.run, csv }, input as object) };
    }
    const idempotency = keyOf(asked, caller, useCase);
    const answer = await perform(deps, asked.name, { caller, reply: { kind: 'json' }, idempotency }, input);
    const isReplay = idempotency !== undefined && answer.output === undefined;
    return { body: answer.text, ...(isReplay && { isReplay }) };
  });

export function takeRequest(deps: Deps, asked: RestRequest): Promise<CoreReply> {
  return serveRequest(deps, asked.address, (quota) => requestSteps.run({ deps, quota, asked }));
}

function keyOf(
  { repeatable }: RestRequest,
  { tenantId, id }: Caller,
  { secretAnswer }: UseCase,
): RequestKey | undefined {
  if (repeatable === undefined) return undefined;
  const { key, hash, route } = repeatable;
  return {
    tenantId,
    scope: `rest ${id} ${route}`,
    key,
    hash,
    reused: KEY_REUSED,
    secret: secretAnswer === true,
  };
}
