/**
 * What gates may ask of the core, by name. What is given and what comes back is data, so that a gate can be in a thread of
 * its own.
 */
import { requirePermission } from '../access/caller.ts';
import { readStatusList } from '../domain/credentials/readStatusList.ts';
import { receiveRailEvent } from '../domain/railEvents/receiveRailEvent.ts';
import { openTable } from '../operations/table.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import type { Deps } from '../usecase/deps.ts';
import { type Credential, callerOf } from './callerOf.ts';
import { takeCaller } from './takeCaller.ts';
import { takeLink } from './takeLink.ts';
import { takeMessage } from './takeMessage.ts';
import { chargeAddress, peekAddress } from './taken.ts';
import { takeRefresh } from './takeRefresh.ts';
import { takeRequest } from './takeRequest.ts';
import { admitSocket, takeSession } from './takeSession.ts';
import { followTask, takeFollower, takeTaskMessage } from './takeTask.ts';
import { openState, sealState, takeVisit } from './takeVisit.ts';

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
  takeTaskMessage,
  takeFollower,
  followTask,
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
export type Calls = typeof calls;
export type CallName = keyof Calls;

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
  /** Whether a witness contradicts the evidence of a tenant. */
  readonly isContradicted: boolean;
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
    isContradicted: [...deps.evidence.witnesses.alarms.values()].some(({ refused }) => refused.length > 0),
  };
}

/** @param credential undefined where none is needed @throws Fault unless the credential's permission is `admin` */
async function exposeMetrics(
  deps: Deps,
  credential: Credential | undefined,
): Promise<{ readonly text: string; readonly contentType: string }> {
  if (credential !== undefined) requirePermission(await callerOf(deps, credential), 'admin');
  return deps.metrics.expose();
}
