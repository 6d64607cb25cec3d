/** Every use case by name. The gates reach use cases through this table only. */

import { denyApproval, getApproval, listApprovals } from './approvals.ts';
import { createSpt } from './createToken.ts';
import { currentUser, logout } from './currentUser.ts';
import { demoCart, demoPayment, demoPresenceProof } from './demo.ts';
import { createEnrollment } from './enrollments.ts';
import { evidenceBundle } from './evidenceBundle.ts';
import { exportEvidence } from './exportEvidence.ts';
import { reactivateAgent, revokeAgent, setAgentVelocity, suspendAgent } from './governAgent.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './governApiKeys.ts';
import { addInstrument, listInstruments, removeInstrument } from './governInstruments.ts';
import { bindMerchant, listMerchants, removeMerchant } from './governMerchants.ts';
import { getSpt, listSpts, revokeSpt, sptOverview } from './governTokens.ts';
import { listUsers, removeUser, setUserRole } from './governUsers.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './governWebhooks.ts';
import { issueIntent } from './issueIntent.ts';
import { mandatePayment } from './mandatePayment.ts';
import { cancelPayment, capturePayment, refundPayment } from './operatePayment.ts';
import { beginPresence, completePresence } from './provePresence.ts';
import { getAgent, listAgents } from './readAgents.ts';
import { listCheckpoints, proveConsistency, proveInclusion } from './readCheckpoints.ts';
import { getIntent, listIntents } from './readIntents.ts';
import { listPasskeys, removePasskey } from './readPasskeys.ts';
import { getPayment, listPayments } from './readPayments.ts';
import { currentPolicy, listPolicies } from './readPolicies.ts';
import { demoDispute } from './recordDispute.ts';
import { registerAgent } from './registerAgent.ts';
import { beginPasskeyRegistration, completePasskeyRegistration } from './registerPasskey.ts';
import { resetTestData } from './resetTestData.ts';
import { searchEvidence } from './searchEvidence.ts';
import { createSession, getSession, listSessions } from './sessions.ts';
import { simulatePolicy } from './simulatePolicy.ts';
import { tailEvents } from './tailEvents.ts';
import { validateCart } from './validateCart.ts';
import { verifyEvidence } from './verifyEvidence.ts';
import { listWebhookLogs, resendWebhook, testWebhook } from './webhookLogs.ts';
import { createPolicy, updatePolicy } from './writePolicies.ts';

export const table = {
  issueIntent,
  getIntent,
  listIntents,
  validateCart,
  mandatePayment,
  getPayment,
  listPayments,
  capturePayment,
  cancelPayment,
  refundPayment,
  registerAgent,
  getAgent,
  listAgents,
  revokeAgent,
  suspendAgent,
  reactivateAgent,
  setAgentVelocity,
  createPolicy,
  updatePolicy,
  currentPolicy,
  listPolicies,
  simulatePolicy,
  bindMerchant,
  listMerchants,
  removeMerchant,
  addInstrument,
  listInstruments,
  removeInstrument,
  createSpt,
  listSpts,
  sptOverview,
  getSpt,
  revokeSpt,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listUsers,
  setUserRole,
  removeUser,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  testWebhook,
  listWebhookLogs,
  resendWebhook,
  tailEvents,
  currentUser,
  logout,
  exportEvidence,
  searchEvidence,
  evidenceBundle,
  verifyEvidence,
  listCheckpoints,
  proveConsistency,
  proveInclusion,
  createSession,
  getSession,
  listSessions,
  createEnrollment,
  beginPasskeyRegistration,
  completePasskeyRegistration,
  listPasskeys,
  removePasskey,
  beginPresence,
  completePresence,
  getApproval,
  listApprovals,
  denyApproval,
  demoCart,
  demoPayment,
  demoPresenceProof,
  demoDispute,
  resetTestData,
};

export type UseCaseName = keyof typeof table;
