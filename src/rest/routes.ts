/** The REST facade as rows: which path serves which use case, and with which status. */
import type { UseCaseName } from '../handlers/core/table.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the router writes it: `:name` is a path parameter. */
  readonly path: string;
  readonly useCase: UseCaseName;
  /** The status of a successful answer. */
  readonly status: 200 | 201 | 204;
  /** True where the browser's cookies of a login go with the answer. */
  readonly endsLogin?: true;
  /** True where the answer carries an ETag and whoever has it already gets 304. */
  readonly tagged?: true;
}

export const routes: readonly Route[] = [
  { method: 'POST', path: '/ap2/intents', useCase: 'issueIntent', status: 200 },
  { method: 'GET', path: '/ap2/intents', useCase: 'listIntents', status: 200 },
  { method: 'GET', path: '/ap2/intents/:mandateId', useCase: 'getIntent', status: 200 },
  { method: 'POST', path: '/ap2/carts/validate', useCase: 'validateCart', status: 200 },
  { method: 'POST', path: '/ap2/payments/mandate', useCase: 'mandatePayment', status: 200 },
  { method: 'GET', path: '/ap2/payments', useCase: 'listPayments', status: 200 },
  { method: 'GET', path: '/ap2/payments/:mandateId', useCase: 'getPayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/capture', useCase: 'capturePayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/cancel', useCase: 'cancelPayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/refund', useCase: 'refundPayment', status: 200 },
  { method: 'GET', path: '/ap2/policies/current', useCase: 'currentPolicy', status: 200, tagged: true },
  { method: 'GET', path: '/ap2/policies', useCase: 'listPolicies', status: 200 },
  { method: 'POST', path: '/ap2/admin/policies', useCase: 'createPolicy', status: 201 },
  { method: 'PUT', path: '/ap2/admin/policies/:id', useCase: 'updatePolicy', status: 200 },
  { method: 'POST', path: '/ap2/admin/policies/:id/simulate', useCase: 'simulatePolicy', status: 200 },
  { method: 'POST', path: '/ap2/agents', useCase: 'registerAgent', status: 201 },
  { method: 'GET', path: '/ap2/agents', useCase: 'listAgents', status: 200 },
  { method: 'GET', path: '/ap2/agents/:did', useCase: 'getAgent', status: 200 },
  { method: 'POST', path: '/ap2/admin/agents/:did/revoke', useCase: 'revokeAgent', status: 200 },
  { method: 'POST', path: '/ap2/admin/agents/:did/suspend', useCase: 'suspendAgent', status: 200 },
  { method: 'POST', path: '/ap2/admin/agents/:did/reactivate', useCase: 'reactivateAgent', status: 200 },
  { method: 'PUT', path: '/ap2/admin/agents/:did/velocity', useCase: 'setAgentVelocity', status: 200 },
  { method: 'POST', path: '/ap2/admin/merchants', useCase: 'bindMerchant', status: 201 },
  { method: 'GET', path: '/ap2/admin/merchants', useCase: 'listMerchants', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/merchants/:id', useCase: 'removeMerchant', status: 204 },
  { method: 'POST', path: '/ap2/admin/instruments', useCase: 'addInstrument', status: 201 },
  { method: 'GET', path: '/ap2/admin/instruments', useCase: 'listInstruments', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/instruments/:id', useCase: 'removeInstrument', status: 204 },
  { method: 'POST', path: '/admin/spt', useCase: 'createSpt', status: 201 },
  { method: 'GET', path: '/admin/spt', useCase: 'listSpts', status: 200 },
  { method: 'GET', path: '/admin/spt/stats/overview', useCase: 'sptOverview', status: 200 },
  { method: 'GET', path: '/admin/spt/:id', useCase: 'getSpt', status: 200 },
  { method: 'POST', path: '/admin/spt/:id/revoke', useCase: 'revokeSpt', status: 200 },
  { method: 'POST', path: '/ap2/admin/api-keys', useCase: 'createApiKey', status: 201 },
  { method: 'GET', path: '/ap2/admin/api-keys', useCase: 'listApiKeys', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/api-keys/:id', useCase: 'revokeApiKey', status: 204 },
  { method: 'GET', path: '/ap2/admin/users', useCase: 'listUsers', status: 200 },
  { method: 'PUT', path: '/ap2/admin/users/:id', useCase: 'setUserRole', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/users/:id', useCase: 'removeUser', status: 204 },
  { method: 'POST', path: '/ap2/admin/webhooks', useCase: 'createWebhook', status: 201 },
  { method: 'GET', path: '/ap2/admin/webhooks', useCase: 'listWebhooks', status: 200 },
  // Before the path with a parameter, which would match it as well.
  { method: 'GET', path: '/ap2/admin/webhooks/logs', useCase: 'listWebhookLogs', status: 200 },
  { method: 'POST', path: '/ap2/admin/webhooks/logs/:id/resend', useCase: 'resendWebhook', status: 200 },
  { method: 'GET', path: '/ap2/admin/webhooks/:id', useCase: 'getWebhook', status: 200 },
  { method: 'PUT', path: '/ap2/admin/webhooks/:id', useCase: 'updateWebhook', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/webhooks/:id', useCase: 'deleteWebhook', status: 204 },
  { method: 'POST', path: '/ap2/admin/webhooks/:id/test', useCase: 'testWebhook', status: 200 },
  { method: 'POST', path: '/ap2/admin/webhooks/:id/rotate-secret', useCase: 'rotateWebhookSecret', status: 200 },
  { method: 'GET', path: '/ap2/admin/events', useCase: 'tailEvents', status: 200 },
  { method: 'GET', path: '/ap2/auth/me', useCase: 'currentUser', status: 200 },
  { method: 'POST', path: '/ap2/auth/logout', useCase: 'logout', status: 204, endsLogin: true },
  { method: 'GET', path: '/ap2/evidence/export', useCase: 'exportEvidence', status: 200 },
  { method: 'GET', path: '/ap2/evidence/search', useCase: 'searchEvidence', status: 200 },
  { method: 'GET', path: '/ap2/evidence/bundle/:transactionId', useCase: 'evidenceBundle', status: 200 },
  { method: 'GET', path: '/ap2/evidence/verify', useCase: 'verifyEvidence', status: 200 },
  { method: 'GET', path: '/ap2/evidence/checkpoints', useCase: 'listCheckpoints', status: 200 },
  { method: 'GET', path: '/ap2/evidence/checkpoints/:size/consistency', useCase: 'proveConsistency', status: 200 },
  { method: 'GET', path: '/ap2/evidence/checkpoints/:size/inclusion/:seq', useCase: 'proveInclusion', status: 200 },
  { method: 'POST', path: '/ap2/admin/enrollments', useCase: 'createEnrollment', status: 201 },
  { method: 'POST', path: '/ap2/hp/webauthn/register/begin', useCase: 'beginPasskeyRegistration', status: 200 },
  { method: 'POST', path: '/ap2/hp/webauthn/register/complete', useCase: 'completePasskeyRegistration', status: 200 },
  { method: 'POST', path: '/ap2/hp/webauthn/auth/begin', useCase: 'beginPresence', status: 200 },
  { method: 'POST', path: '/ap2/hp/webauthn/auth/complete', useCase: 'completePresence', status: 200 },
  { method: 'GET', path: '/ap2/hp/passkeys', useCase: 'listPasskeys', status: 200 },
  { method: 'DELETE', path: '/ap2/hp/passkeys/:id', useCase: 'removePasskey', status: 204 },
  { method: 'GET', path: '/ap2/approvals', useCase: 'listApprovals', status: 200 },
  { method: 'GET', path: '/ap2/approvals/:id', useCase: 'getApproval', status: 200 },
  { method: 'POST', path: '/ap2/approvals/:id/deny', useCase: 'denyApproval', status: 200 },
  { method: 'POST', path: '/a2a/sessions', useCase: 'createSession', status: 201 },
  { method: 'GET', path: '/a2a/sessions', useCase: 'listSessions', status: 200 },
  { method: 'GET', path: '/a2a/sessions/:contextId', useCase: 'getSession', status: 200 },
  { method: 'POST', path: '/ap2/demo/cart', useCase: 'demoCart', status: 200 },
  { method: 'POST', path: '/ap2/demo/payment', useCase: 'demoPayment', status: 200 },
  { method: 'POST', path: '/ap2/demo/hp-proof', useCase: 'demoPresenceProof', status: 200 },
  { method: 'POST', path: '/ap2/demo/dispute', useCase: 'demoDispute', status: 200 },
  { method: 'POST', path: '/ap2/demo/refund-failure', useCase: 'demoRefundFailure', status: 200 },
  { method: 'POST', path: '/ap2/admin/reset-test-data', useCase: 'resetTestData', status: 204 },
];
