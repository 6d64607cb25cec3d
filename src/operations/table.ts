/** Every operation by name. The gates reach operations through this table only. */

import { currentUser, logout } from './access/currentUser.ts';
import { beginLogin, completeLogin } from './access/logInThere.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './access/manageApiKeys.ts';
import { changeAgent } from './agents/changeAgent.ts';
import { getAgent, listAgents } from './agents/listAgents.ts';
import { listLimits } from './agents/listLimits.ts';
import { reactivateAgent, revokeAgent, setAgentVelocity, suspendAgent } from './agents/manageAgent.ts';
import { registerAgent } from './agents/registerAgent.ts';
import { showAgentLimits, showLimits } from './agents/showLimits.ts';
import { checkApproval } from './approvals/checkApproval.ts';
import { beginDecision, completeDecision, denyByLink } from './approvals/decideApproval.ts';
import { followApproval } from './approvals/followApproval.ts';
import { denyApproval, getApproval, listApprovals, remindApprovers } from './approvals/listApprovals.ts';
import { getEscalation, setEscalation } from './approvals/manageEscalation.ts';
import { downloadBackup, showBackup, startBackup } from './backups/manageBackups.ts';
import { validateCart } from './carts/validateCart.ts';
import { showCredential } from './credentials/showCredential.ts';
import { listDecisions } from './decisions/listDecisions.ts';
import { getDecisions } from './decisions/showDecision.ts';
import { evidenceBundle } from './evidence/evidenceBundle.ts';
import { exportEvidence } from './evidence/exportEvidence.ts';
import { listCheckpoints, proveConsistency, proveInclusion } from './evidence/listCheckpoints.ts';
import { searchEvidence } from './evidence/searchEvidence.ts';
import { verifyEvidence } from './evidence/verifyEvidence.ts';
import { authorizeHttpPayment } from './httpPayments/authorizeHttpPayment.ts';
import { settleHttpPayment } from './httpPayments/settleHttpPayment.ts';
import { addInstrument, listInstruments, removeInstrument } from './instruments/manageInstruments.ts';
import { issueIntent } from './intents/issueIntent.ts';
import { getIntent, listIntents } from './intents/listIntents.ts';
import { bindMerchant, listMerchants, removeMerchant } from './merchants/manageMerchants.ts';
import { search } from './overview/searchRecords.ts';
import { showAttention } from './overview/showAttention.ts';
import { showHealth } from './overview/showHealth.ts';
import { showSpend } from './overview/showSpend.ts';
import { beginEnrollment, completeEnrollment, createEnrollment, viewEnrollment } from './passkeys/createEnrollment.ts';
import { listPasskeys, listPrincipalPasskeys, removePasskey } from './passkeys/listPasskeys.ts';
import { beginPresence, completePresence } from './passkeys/provePresence.ts';
import { beginPasskeyRegistration, completePasskeyRegistration } from './passkeys/registerPasskey.ts';
import { answerDispute } from './payments/answerDispute.ts';
import { demoDispute, demoDisputeEnd } from './payments/demoDispute.ts';
import { demoRefundFailure } from './payments/demoRefundFailure.ts';
import { downloadDisputePack } from './payments/downloadDisputePack.ts';
import { exportJournal } from './payments/exportJournal.ts';
import { listDisputes } from './payments/listDisputes.ts';
import { getPayment, listPayments } from './payments/listPayments.ts';
import { mandatePayment } from './payments/mandatePayment.ts';
import { cancelPayment, capturePayment, refundPayment } from './payments/operatePayment.ts';
import { reconcilePayment } from './payments/reconcilePayment.ts';
import { settlePayment } from './payments/settlePayment.ts';
import { submitDispute } from './payments/submitDispute.ts';
import { beginAcceptance, completeAcceptance, viewInvitation } from './people/acceptInvitation.ts';
import { createInvitation, listInvitations, revokeInvitation } from './people/manageInvitations.ts';
import { listUsers, removeUser, setUserRole } from './people/manageUsers.ts';
import { allowProgram, completeProgramLogin } from './people/programLogin.ts';
import { beginSignIn, completeSignIn, listWays } from './people/signIn.ts';
import { beginStepUp, completeStepUp } from './people/stepUp.ts';
import {
  endOwnLogin,
  endOwnLogins,
  endUserLogin,
  endUserLogins,
  listLogins,
  listUserLogins,
} from './people/userLogins.ts';
import {
  beginOwnPasskey,
  completeOwnPasskey,
  listOwnPasskeys,
  listUserPasskeys,
  removeOwnPasskey,
  removeUserPasskey,
  renameOwnPasskey,
} from './people/userPasskeys.ts';
import { comparePolicies } from './policies/comparePolicies.ts';
import { explainPolicy } from './policies/explainPolicy.ts';
import { currentPolicy, listPolicies } from './policies/listPolicies.ts';
import { replayDraft, replayPolicy } from './policies/replayPolicy.ts';
import { simulateDraft, simulatePolicy } from './policies/simulatePolicy.ts';
import { createPolicy, updatePolicy } from './policies/writePolicies.ts';
import { changePrincipal, getPrincipal, listPrincipals, registerPrincipal } from './principals/managePrincipals.ts';
import { demoCart, demoPayment, demoPresenceProof } from './sandbox/demoPurchase.ts';
import { resetTestData } from './sandbox/resetTestData.ts';
import { createSession, getSession, listSessions } from './sessions/manageSessions.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/manageWebhooks.ts';
import { showListenSecret } from './webhooks/showListenSecret.ts';
import { streamEvents } from './webhooks/streamEvents.ts';
import { tailEvents } from './webhooks/tailEvents.ts';
import { getWebhookLog, listWebhookLogs, resendWebhook, testWebhook } from './webhooks/webhookLogs.ts';

export const table = {
  issueIntent,
  getIntent,
  listIntents,
  validateCart,
  mandatePayment,
  authorizeHttpPayment,
  settleHttpPayment,
  getPayment,
  listPayments,
  listDisputes,
  exportJournal,
  downloadDisputePack,
  submitDispute,
  answerDispute,
  capturePayment,
  cancelPayment,
  refundPayment,
  reconcilePayment,
  settlePayment,
  showSpend,
  showAttention,
  search,
  showHealth,
  getEscalation,
  setEscalation,
  startBackup,
  showBackup,
  downloadBackup,
  registerAgent,
  getAgent,
  changeAgent,
  listAgents,
  listLimits,
  showAgentLimits,
  showLimits,
  revokeAgent,
  suspendAgent,
  reactivateAgent,
  setAgentVelocity,
  createPolicy,
  updatePolicy,
  currentPolicy,
  listPolicies,
  replayPolicy,
  replayDraft,
  simulatePolicy,
  simulateDraft,
  comparePolicies,
  explainPolicy,
  bindMerchant,
  listMerchants,
  removeMerchant,
  registerPrincipal,
  listPrincipals,
  getPrincipal,
  changePrincipal,
  addInstrument,
  listInstruments,
  removeInstrument,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listUsers,
  setUserRole,
  removeUser,
  createInvitation,
  listInvitations,
  revokeInvitation,
  listUserPasskeys,
  removeUserPasskey,
  listUserLogins,
  endUserLogin,
  endUserLogins,
  beginStepUp,
  completeStepUp,
  allowProgram,
  listOwnPasskeys,
  beginOwnPasskey,
  completeOwnPasskey,
  renameOwnPasskey,
  removeOwnPasskey,
  listLogins,
  endOwnLogin,
  endOwnLogins,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  testWebhook,
  listWebhookLogs,
  getWebhookLog,
  resendWebhook,
  tailEvents,
  showListenSecret,
  streamEvents,
  currentUser,
  logout,
  showCredential,
  listDecisions,
  getDecisions,
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
  listPrincipalPasskeys,
  removePasskey,
  beginPresence,
  completePresence,
  getApproval,
  checkApproval,
  listApprovals,
  denyApproval,
  remindApprovers,
  demoCart,
  demoPayment,
  demoPresenceProof,
  demoDispute,
  demoDisputeEnd,
  demoRefundFailure,
  resetTestData,
};

/** What is asked without a caller, by a page that a link or a login opens. */
export const openTable = {
  followApproval,
  beginDecision,
  completeDecision,
  denyByLink,
  viewEnrollment,
  beginEnrollment,
  completeEnrollment,
  beginLogin,
  completeLogin,
  listWays,
  beginSignIn,
  completeSignIn,
  completeProgramLogin,
  viewInvitation,
  beginAcceptance,
  completeAcceptance,
};

export type UseCaseName = keyof typeof table;
