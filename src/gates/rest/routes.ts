/** The REST facade as rows: which path serves which use case, and with which status. */
import type { UseCaseName } from '../../operations/table.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the router writes it: `:name` is a path parameter. */
  readonly path: string;
  readonly useCase: string;
  /** The status of a successful answer. */
  readonly status: 200 | 201 | 204;
  /** The status of an answer that refuses (`allowed: false`), where that is another one. */
  readonly refusal?: 200;
  /** True where the browser's cookies of a login go with the answer. */
  readonly endsLogin?: true;
  /** True where the answer carries an ETag; a client that has it already gets 304. */
  readonly tagged?: true;
  /** True where the header Last-Event-ID says from where to go on, as the query's `cursor` does. */
  readonly resumes?: true;
  /** True where the header Accept chooses a form of a credential, as the query's `as` does (respond.ts). */
  readonly hasForms?: true;
}

interface KernelRoute extends Route {
  readonly useCase: UseCaseName;
}

/** Those of the kernel; an extension has its own. */
export const routes: readonly KernelRoute[] = [
  { method: 'POST', path: '/ap2/intents', useCase: 'issueIntent', status: 200 },
  { method: 'GET', path: '/ap2/intents', useCase: 'listIntents', status: 200 },
  { method: 'GET', path: '/ap2/intents/:mandateId', useCase: 'getIntent', status: 200 },
  { method: 'POST', path: '/ap2/carts/validate', useCase: 'validateCart', status: 200 },
  { method: 'POST', path: '/ap2/payments/mandate', useCase: 'mandatePayment', status: 200 },
  { method: 'POST', path: '/ap2/http-payments/authorize', useCase: 'authorizeHttpPayment', status: 200 },
  { method: 'POST', path: '/ap2/http-payments/settlements', useCase: 'settleHttpPayment', status: 200 },
  { method: 'GET', path: '/ap2/payments', useCase: 'listPayments', status: 200 },
  { method: 'GET', path: '/ap2/disputes', useCase: 'listDisputes', status: 200 },
  { method: 'POST', path: '/ap2/disputes/:id/submitted', useCase: 'submitDispute', status: 200 },
  { method: 'GET', path: '/ap2/payments/:mandateId', useCase: 'getPayment', status: 200 },
  { method: 'GET', path: '/ap2/payments/:mandateId/dispute-pack', useCase: 'downloadDisputePack', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/capture', useCase: 'capturePayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/cancel', useCase: 'cancelPayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/refund', useCase: 'refundPayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/reconcile', useCase: 'reconcilePayment', status: 200 },
  { method: 'POST', path: '/ap2/payments/:mandateId/settle', useCase: 'settlePayment', status: 200 },
  { method: 'GET', path: '/ap2/credentials/:id', useCase: 'showCredential', status: 200, tagged: true, hasForms: true },
  { method: 'GET', path: '/ap2/admin/spend', useCase: 'showSpend', status: 200 },
  { method: 'GET', path: '/ap2/admin/attention', useCase: 'showAttention', status: 200 },
  { method: 'GET', path: '/ap2/admin/search', useCase: 'search', status: 200 },
  { method: 'GET', path: '/ap2/admin/health', useCase: 'showHealth', status: 200 },
  { method: 'GET', path: '/ap2/admin/escalation', useCase: 'getEscalation', status: 200 },
  { method: 'PUT', path: '/ap2/admin/escalation', useCase: 'setEscalation', status: 200 },
  { method: 'POST', path: '/ap2/admin/backups', useCase: 'startBackup', status: 200 },
  { method: 'GET', path: '/ap2/admin/backups/latest', useCase: 'showBackup', status: 200 },
  { method: 'GET', path: '/ap2/admin/backups/latest/file', useCase: 'downloadBackup', status: 200 },
  { method: 'GET', path: '/ap2/policies/current', useCase: 'currentPolicy', status: 200, tagged: true },
  { method: 'GET', path: '/ap2/policies', useCase: 'listPolicies', status: 200 },
  { method: 'POST', path: '/ap2/policies/replay', useCase: 'replayPolicy', status: 200 },
  { method: 'POST', path: '/ap2/policies/simulate', useCase: 'simulateDraft', status: 200 },
  { method: 'POST', path: '/ap2/policies/compare', useCase: 'comparePolicies', status: 200 },
  { method: 'POST', path: '/ap2/policies/explain', useCase: 'explainPolicy', status: 200 },
  { method: 'POST', path: '/ap2/admin/policies', useCase: 'createPolicy', status: 201 },
  // Before the path with a parameter, which would match it as well.
  { method: 'POST', path: '/ap2/admin/policies/replay', useCase: 'replayDraft', status: 200 },
  { method: 'PUT', path: '/ap2/admin/policies/:id', useCase: 'updatePolicy', status: 200 },
  { method: 'POST', path: '/ap2/admin/policies/:id/simulate', useCase: 'simulatePolicy', status: 200 },
  { method: 'GET', path: '/ap2/decisions', useCase: 'listDecisions', status: 200 },
  { method: 'GET', path: '/ap2/decisions/:transactionId', useCase: 'getDecisions', status: 200 },
  { method: 'POST', path: '/ap2/agents', useCase: 'registerAgent', status: 201 },
  { method: 'GET', path: '/ap2/agents', useCase: 'listAgents', status: 200 },
  { method: 'GET', path: '/ap2/agents/limits', useCase: 'listLimits', status: 200 },
  { method: 'GET', path: '/ap2/agents/:did', useCase: 'getAgent', status: 200, tagged: true },
  { method: 'GET', path: '/ap2/agents/:did/limits', useCase: 'showAgentLimits', status: 200 },
  { method: 'GET', path: '/ap2/limits', useCase: 'showLimits', status: 200 },
  { method: 'PUT', path: '/ap2/agents/:did', useCase: 'changeAgent', status: 200, tagged: true },
  { method: 'POST', path: '/ap2/admin/agents/:did/revoke', useCase: 'revokeAgent', status: 200 },
  { method: 'POST', path: '/ap2/admin/agents/:did/suspend', useCase: 'suspendAgent', status: 200 },
  { method: 'POST', path: '/ap2/admin/agents/:did/reactivate', useCase: 'reactivateAgent', status: 200 },
  { method: 'PUT', path: '/ap2/admin/agents/:did/velocity', useCase: 'setAgentVelocity', status: 200, tagged: true },
  { method: 'POST', path: '/ap2/admin/merchants', useCase: 'bindMerchant', status: 201 },
  { method: 'GET', path: '/ap2/admin/merchants', useCase: 'listMerchants', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/merchants/:id', useCase: 'removeMerchant', status: 204 },
  { method: 'POST', path: '/ap2/admin/principals', useCase: 'registerPrincipal', status: 201 },
  { method: 'GET', path: '/ap2/admin/principals', useCase: 'listPrincipals', status: 200 },
  { method: 'GET', path: '/ap2/admin/principals/:did', useCase: 'getPrincipal', status: 200 },
  { method: 'PUT', path: '/ap2/admin/principals/:did', useCase: 'changePrincipal', status: 200 },
  { method: 'POST', path: '/ap2/admin/instruments', useCase: 'addInstrument', status: 201 },
  { method: 'GET', path: '/ap2/admin/instruments', useCase: 'listInstruments', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/instruments/:id', useCase: 'removeInstrument', status: 204 },
  { method: 'POST', path: '/ap2/admin/api-keys', useCase: 'createApiKey', status: 201 },
  { method: 'GET', path: '/ap2/admin/api-keys', useCase: 'listApiKeys', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/api-keys/:id', useCase: 'revokeApiKey', status: 204 },
  { method: 'GET', path: '/ap2/admin/users', useCase: 'listUsers', status: 200 },
  { method: 'PUT', path: '/ap2/admin/users/:id', useCase: 'setUserRole', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/users/:id', useCase: 'removeUser', status: 204 },
  { method: 'GET', path: '/ap2/admin/users/:id/passkeys', useCase: 'listUserPasskeys', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/users/:id/passkeys/:passkeyId', useCase: 'removeUserPasskey', status: 204 },
  { method: 'POST', path: '/ap2/admin/users/:id/sessions/end', useCase: 'endUserLogins', status: 204 },
  { method: 'POST', path: '/ap2/admin/invitations', useCase: 'createInvitation', status: 201 },
  { method: 'GET', path: '/ap2/admin/invitations', useCase: 'listInvitations', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/invitations/:id', useCase: 'revokeInvitation', status: 204 },
  { method: 'POST', path: '/ap2/admin/webhooks', useCase: 'createWebhook', status: 201 },
  { method: 'GET', path: '/ap2/admin/webhooks', useCase: 'listWebhooks', status: 200 },
  // Before the path with a parameter, which would match it as well.
  { method: 'GET', path: '/ap2/admin/webhooks/logs', useCase: 'listWebhookLogs', status: 200 },
  { method: 'GET', path: '/ap2/admin/webhooks/logs/:id', useCase: 'getWebhookLog', status: 200 },
  { method: 'POST', path: '/ap2/admin/webhooks/logs/:id/resend', useCase: 'resendWebhook', status: 200 },
  { method: 'GET', path: '/ap2/admin/webhooks/:id', useCase: 'getWebhook', status: 200 },
  { method: 'PUT', path: '/ap2/admin/webhooks/:id', useCase: 'updateWebhook', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/webhooks/:id', useCase: 'deleteWebhook', status: 204 },
  { method: 'POST', path: '/ap2/admin/webhooks/:id/test', useCase: 'testWebhook', status: 200 },
  { method: 'POST', path: '/ap2/admin/webhooks/:id/rotate-secret', useCase: 'rotateWebhookSecret', status: 200 },
  { method: 'GET', path: '/ap2/admin/events', useCase: 'tailEvents', status: 200 },
  { method: 'POST', path: '/ap2/admin/events/secret', useCase: 'showListenSecret', status: 200 },
  { method: 'GET', path: '/ap2/admin/events/stream', useCase: 'streamEvents', status: 200, resumes: true },
  { method: 'GET', path: '/ap2/auth/me', useCase: 'currentUser', status: 200 },
  { method: 'POST', path: '/ap2/auth/logout', useCase: 'logout', status: 204, endsLogin: true },
  { method: 'POST', path: '/ap2/auth/step-up/begin', useCase: 'beginStepUp', status: 200 },
  { method: 'POST', path: '/ap2/auth/step-up/complete', useCase: 'completeStepUp', status: 200 },
  { method: 'POST', path: '/ap2/auth/programs/allow', useCase: 'allowProgram', status: 200 },
  { method: 'GET', path: '/ap2/auth/passkeys', useCase: 'listOwnPasskeys', status: 200 },
  { method: 'POST', path: '/ap2/auth/passkeys/begin', useCase: 'beginOwnPasskey', status: 200 },
  { method: 'POST', path: '/ap2/auth/passkeys/complete', useCase: 'completeOwnPasskey', status: 201 },
  { method: 'PUT', path: '/ap2/auth/passkeys/:id', useCase: 'renameOwnPasskey', status: 200 },
  { method: 'DELETE', path: '/ap2/auth/passkeys/:id', useCase: 'removeOwnPasskey', status: 204 },
  { method: 'GET', path: '/ap2/auth/sessions', useCase: 'listLogins', status: 200 },
  { method: 'POST', path: '/ap2/auth/sessions/end', useCase: 'endOwnLogins', status: 204 },
  { method: 'DELETE', path: '/ap2/auth/sessions/:id', useCase: 'endOwnLogin', status: 204 },
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
  { method: 'GET', path: '/ap2/principals/:did/passkeys', useCase: 'listPrincipalPasskeys', status: 200 },
  { method: 'DELETE', path: '/ap2/hp/passkeys/:id', useCase: 'removePasskey', status: 204 },
  { method: 'GET', path: '/ap2/approvals', useCase: 'listApprovals', status: 200 },
  { method: 'POST', path: '/ap2/approvals/verify', useCase: 'checkApproval', status: 200 },
  { method: 'GET', path: '/ap2/approvals/:id', useCase: 'getApproval', status: 200 },
  { method: 'POST', path: '/ap2/approvals/:id/deny', useCase: 'denyApproval', status: 200 },
  { method: 'POST', path: '/ap2/approvals/:id/remind', useCase: 'remindApprovers', status: 200 },
  { method: 'POST', path: '/a2a/sessions', useCase: 'createSession', status: 201 },
  { method: 'GET', path: '/a2a/sessions', useCase: 'listSessions', status: 200 },
  { method: 'GET', path: '/a2a/sessions/:contextId', useCase: 'getSession', status: 200 },
  { method: 'POST', path: '/ap2/demo/cart', useCase: 'demoCart', status: 200 },
  { method: 'POST', path: '/ap2/demo/payment', useCase: 'demoPayment', status: 200 },
  { method: 'POST', path: '/ap2/demo/hp-proof', useCase: 'demoPresenceProof', status: 200 },
  { method: 'POST', path: '/ap2/demo/dispute', useCase: 'demoDispute', status: 200 },
  { method: 'POST', path: '/ap2/demo/dispute/end', useCase: 'demoDisputeEnd', status: 200 },
  { method: 'POST', path: '/ap2/demo/refund-failure', useCase: 'demoRefundFailure', status: 200 },
  { method: 'POST', path: '/ap2/admin/reset-test-data', useCase: 'resetTestData', status: 204 },
];
