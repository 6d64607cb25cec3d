/**
 * What gates may ask of the core, by name. What is given and what comes back is data, so that a gate can be in a thread of
 * its own.
 */
import { requirePermission } from '../access/caller.ts';
import { beginLogin, completeLogin } from '../operations/access/logInThere.ts';
import { beginDecision, completeDecision, denyByLink, followApproval } from '../operations/approvals/decideApproval.ts';
import { beginEnrollment, completeEnrollment, viewEnrollment } from '../operations/passkeys/createEnrollment.ts';
import { beginAcceptance, completeAcceptance, viewInvitation } from '../operations/people/acceptInvitation.ts';
import { beginSignIn, completeSignIn, listWays } from '../operations/people/signIn.ts';
import { receiveRailEvent } from '../operations/railEvents/receiveRailEvent.ts';
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
  followApproval,
  beginDecision,
  completeDecision,
  denyByLink,
  viewEnrollment,
  beginEnrollment,
  completeEnrollment,
  beginLogin,
  completeLogin,
  takeRefresh,
  listWays,
  beginSignIn,
  completeSignIn,
  viewInvitation,
  beginAcceptance,
  completeAcceptance,
  receiveRailEvent,
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
    damage: deps.storeFile.damage,
    checkpointsRefused: deps.checkpoints.faults.size > 0,
    isContradicted: [...deps.witnesses.alarms.values()].some(({ refused }) => refused.length > 0),
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
