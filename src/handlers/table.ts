/** Every use case by name. The gates reach use cases through this table only. */

import { currentUser, logout } from './currentUser.ts';
import { demoCart, demoPayment, demoPresenceProof } from './demo.ts';
import { evidenceBundle } from './evidenceBundle.ts';
import { exportEvidence } from './exportEvidence.ts';
import { reactivateAgent, revokeAgent, setAgentVelocity, suspendAgent } from './governAgent.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './governApiKeys.ts';
import { bindMerchant, listMerchants, removeMerchant } from './governMerchants.ts';
import { listUsers, removeUser, setUserRole } from './governUsers.ts';
import { issueIntent } from './issueIntent.ts';
import { mandatePayment } from './mandatePayment.ts';
import { cancelPayment, capturePayment, refundPayment } from './operatePayment.ts';
import { getAgent, listAgents } from './readAgents.ts';
import { getIntent, listIntents } from './readIntents.ts';
import { getPayment, listPayments } from './readPayments.ts';
import { currentPolicy, listPolicies } from './readPolicies.ts';
import { registerAgent } from './registerAgent.ts';
import { resetTestData } from './resetTestData.ts';
import { searchEvidence } from './searchEvidence.ts';
import { createSession, getSession, listSessions } from './sessions.ts';
import { simulatePolicy } from './simulatePolicy.ts';
import { validateCart } from './validateCart.ts';
import { verifyEvidence } from './verifyEvidence.ts';
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
  createApiKey,
  listApiKeys,
  revokeApiKey,
  listUsers,
  setUserRole,
  removeUser,
  currentUser,
  logout,
  exportEvidence,
  searchEvidence,
  evidenceBundle,
  verifyEvidence,
  createSession,
  getSession,
  listSessions,
  demoCart,
  demoPayment,
  demoPresenceProof,
  resetTestData,
};

export type UseCaseName = keyof typeof table;
