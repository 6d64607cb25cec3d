/**
 * What gates may ask of the core, by name, and how: in its own thread by a call, from another one by messages (link.ts). What
 * is given and what comes back is data, so that a gate can be in a thread of its own.
 */

import { requirePermission } from '../access/caller.ts';
import { refreshLogin } from '../domain/access/startLogin.ts';
import { readStatusList } from '../domain/credentials/readStatusList.ts';
import { receiveRailEvent } from '../domain/railEvents/receiveRailEvent.ts';
import { openTable } from '../operations/table.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Deps } from '../usecase/deps.ts';
import { callerOf, identify, type RequestCredential } from './callerOf.ts';
import { type CoreReply, chargeAddress, peekAddress, serveRequest } from './serveRequest.ts';
import { takeLink } from './takeLink.ts';
import { takeMessage } from './takeMessage.ts';
import { type RestRequest, takeRequest } from './takeRequest.ts';
import { admitSocket, takeSession } from './takeSession.ts';
import { openState, sealState, takeVisit } from './takeVisit.ts';

/** Calls by name, as the core runs them. */
export type CallTable = Readonly<Record<string, (deps: Deps, ...given: never) => unknown>>;

type ArgumentsOf<Called> = Called extends (deps: Deps, ...given: infer Given) => unknown ? Given : never;
export type CallResult<Name extends keyof KernelCalls> = Awaited<ReturnType<KernelCalls[Name]>>;

/** The core as a gate asks it: by the kernel's calls, unless its type has those of an extension as well. */
export interface Core<Calls extends CallTable = KernelCalls> {
  /** @throws Fault, and an error without details for what the core has not foreseen */
  call<Name extends string & keyof Calls>(
    name: Name,
    ...given: ArgumentsOf<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
}

/** @param added the calls of extensions */
export function coreHere(deps: Deps, added: CallTable): Core {
  const all: CallTable = { ...added, ...calls };
  return {
    async call(name, ...given) {
      const run = all[name] as (deps: Deps, ...given: unknown[]) => unknown;
      if (deps.tracing?.current() === undefined) return (await run(deps, ...given)) as never;
      return deps.tracing.span(spanOf(name, given), 'internal', async () => run(deps, ...given)) as never;
    },
  };
}

/** A request is named for its operation. */
function spanOf(name: string, given: readonly unknown[]): string {
  return `core ${name === 'takeRequest' ? (given[0] as RestRequest).name : name}`;
}

type Input<Name extends keyof typeof openTable> = Parameters<(typeof openTable)[Name]['run']>[1];

export const calls = {
  takeMessage,
  takeSession,
  takeRequest,
  takeVisit,
  takeCaller,
  takeLink,
  sealState,
  openState,
  admitSocket,
  chargeAddress,
  peekAddress,
  followApproval: (deps: Deps, id: string, { wait }: Omit<Input<'followApproval'>, 'id'>) =>
    openTable.followApproval.run(deps, { id, wait }),
  beginDecision: (deps: Deps, id: Input<'beginDecision'>['id'], decision: Input<'beginDecision'>['decision']) =>
    openTable.beginDecision.run(deps, { id, decision }),
  completeDecision: (deps: Deps, id: string, assertion: Omit<Input<'completeDecision'>, 'id'>) =>
    openTable.completeDecision.run(deps, { ...assertion, id }),
  denyByLink: (deps: Deps, id: Input<'denyByLink'>['id']) => openTable.denyByLink.run(deps, { id }),
  viewEnrollment: (deps: Deps, token: Input<'viewEnrollment'>['token']) =>
    openTable.viewEnrollment.run(deps, { token }),
  beginEnrollment: (
    deps: Deps,
    token: Input<'beginEnrollment'>['token'],
    deviceName: Input<'beginEnrollment'>['deviceName'],
  ) => openTable.beginEnrollment.run(deps, { token, deviceName }),
  completeEnrollment: (
    deps: Deps,
    token: Input<'completeEnrollment'>['token'],
    credential: Input<'completeEnrollment'>['credential'],
  ) => openTable.completeEnrollment.run(deps, { token, credential }),
  beginLogin: (deps: Deps) => openTable.beginLogin.run(deps, {}),
  completeLogin: (
    deps: Deps,
    query: Input<'completeLogin'>['query'],
    sealed: Input<'completeLogin'>['sealed'],
    device: Input<'completeLogin'>['device'],
  ) => openTable.completeLogin.run(deps, { query, sealed, device }),
  takeRefresh,
  listWays: (deps: Deps) => openTable.listWays.run(deps, {}),
  beginSignIn: (deps: Deps) => openTable.beginSignIn.run(deps, {}),
  completeSignIn: (deps: Deps, input: Omit<Input<'completeSignIn'>, 'device'>, device: string | undefined) =>
    openTable.completeSignIn.run(deps, { ...input, device }),
  completeProgramLogin: (
    deps: Deps,
    input: Omit<Input<'completeProgramLogin'>, 'device'>,
    device: string | undefined,
  ) => openTable.completeProgramLogin.run(deps, { ...input, device }),
  viewInvitation: (deps: Deps, input: Input<'viewInvitation'>) => openTable.viewInvitation.run(deps, input),
  beginAcceptance: (deps: Deps, input: Input<'beginAcceptance'>) => openTable.beginAcceptance.run(deps, input),
  completeAcceptance: (deps: Deps, input: Omit<Input<'completeAcceptance'>, 'device'>, device: string | undefined) =>
    openTable.completeAcceptance.run(deps, { ...input, device }),
  receiveRailEvent,
  readStatusList,
  tellTime,
  examineHealth,
  exposeMetrics,
};
type KernelCalls = typeof calls;

/** That the core answers, and its time. It asks no store: a database that is away is no reason to end the process. */
async function tellTime(deps: Deps): Promise<string> {
  return new Date(deps.clock()).toISOString();
}

/** The health of the core, at its time. */
async function examineHealth(deps: Deps): Promise<{
  readonly timestamp: string;
  readonly canRead: boolean;
  /** The first finding in the database's file. */
  readonly damage: string | undefined;
  readonly checkpointsRefused: boolean;
  /** What extensions have the owner look at. */
  readonly warnings: readonly string[];
}> {
  const canRead = await deps.store
    .read(() => findSetting('issuer_did'))
    .then(
      () => true,
      () => false,
    );
  return {
    timestamp: new Date(deps.clock()).toISOString(),
    canRead,
    damage: deps.data.file.damage,
    checkpointsRefused: deps.evidence.checkpoints.faults.size > 0,
    warnings: deps.operations.watches.flatMap((watch) => watch.warnings()),
  };
}

/** @param credential undefined where none is needed @throws Fault unless the credential's permission is `admin` */
async function exposeMetrics(
  deps: Deps,
  credential: RequestCredential | undefined,
): Promise<{ readonly text: string; readonly contentType: string }> {
  if (credential !== undefined) requirePermission(await callerOf(deps, credential), 'admin');
  return deps.metrics.expose();
}

function takeCaller(deps: Deps, address: string, credential: RequestCredential): Promise<CoreReply> {
  return serveRequest(deps, address, async (quota) => {
    quota.know(await identify(deps, credential));
    quota.requireCalls();
    return { body: '' };
  });
}

/** @param device what the browser says that it is @returns Tokens, as JSON */
function takeRefresh(deps: Deps, address: string, token: string, device: string | undefined): Promise<CoreReply> {
  return serveRequest(deps, address, async (quota) => {
    const tokens = await refreshLogin(deps, token, device, (caller) => {
      quota.know(caller);
      quota.charge();
    });
    return { body: JSON.stringify(tokens) };
  });
}
