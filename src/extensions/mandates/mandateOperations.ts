/** What can be asked of a node with mandates, by name. */
import { demoAp2Cart } from './carts/demoAp2Cart.ts';
import { validateAp2Cart } from './carts/validateAp2Cart.ts';
import { createMandateChallenge } from './chains/createMandateChallenge.ts';
import { issuePaymentCredential } from './chains/issuePaymentCredential.ts';
import { addMandateIssuer, listMandateIssuers, removeMandateIssuer } from './chains/manageMandateIssuers.ts';
import { revokePaymentCredential } from './chains/revokePaymentCredential.ts';
import { verifyMandate } from './chains/verifyMandate.ts';
import { verifyReceipt } from './chains/verifyReceipt.ts';
import { validateUcpCheckout } from './checkouts/validateUcpCheckout.ts';
import { getDelegation, listDelegations, revokeDelegation } from './delegations/manageDelegations.ts';
import { previewDelegation, registerDelegation } from './delegations/registerDelegation.ts';

export const operations = {
  validateUcpCheckout,
  validateAp2Cart,
  demoAp2Cart,
  verifyMandate,
  createMandateChallenge,
  issuePaymentCredential,
  revokePaymentCredential,
  verifyReceipt,
  registerDelegation,
  previewDelegation,
  listDelegations,
  getDelegation,
  revokeDelegation,
  addMandateIssuer,
  listMandateIssuers,
  removeMandateIssuer,
};
