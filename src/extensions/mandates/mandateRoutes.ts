/** By which paths of the facade the operations of mandates are served. */
import type { Route } from '../../gates/rest/routes.ts';

export const routes: readonly Route[] = [
  { method: 'POST', path: '/ap2/carts/validate/ucp', useCase: 'validateUcpCheckout', status: 200 },
  { method: 'POST', path: '/ap2/carts/validate/ap2', useCase: 'validateAp2Cart', status: 200 },
  { method: 'POST', path: '/ap2/mandates/verify', useCase: 'verifyMandate', status: 200 },
  { method: 'POST', path: '/ap2/payment-credentials', useCase: 'issuePaymentCredential', status: 200 },
  { method: 'POST', path: '/ap2/payment-credentials/revoke', useCase: 'revokePaymentCredential', status: 200 },
  { method: 'POST', path: '/ap2/receipts/verify', useCase: 'verifyReceipt', status: 200 },
  { method: 'POST', path: '/ap2/delegations', useCase: 'registerDelegation', status: 201, refusal: 200 },
  { method: 'POST', path: '/ap2/delegations/preview', useCase: 'previewDelegation', status: 200 },
  { method: 'GET', path: '/ap2/delegations', useCase: 'listDelegations', status: 200 },
  { method: 'GET', path: '/ap2/delegations/:id', useCase: 'getDelegation', status: 200 },
  { method: 'POST', path: '/ap2/delegations/:id/revoke', useCase: 'revokeDelegation', status: 200 },
  { method: 'POST', path: '/ap2/mandate-challenges', useCase: 'createMandateChallenge', status: 201 },
  { method: 'POST', path: '/ap2/admin/mandate-issuers', useCase: 'addMandateIssuer', status: 201 },
  { method: 'GET', path: '/ap2/admin/mandate-issuers', useCase: 'listMandateIssuers', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/mandate-issuers/:id', useCase: 'removeMandateIssuer', status: 204 },
  { method: 'POST', path: '/ap2/demo/cart/ap2', useCase: 'demoAp2Cart', status: 200 },
];
