/** Mandates of other protocols: AP2, Verifiable Intent, delegations, and the checkouts of UCP. A purchase by one is bought as it says. */
import { extension } from '../extension.ts';
import { ap2CartAuthorizer } from './carts/ap2CartAuthorizer.ts';
import { mandateExchanges } from './carts/ap2Exchange.ts';
import { endCredentialsOfKey } from './chains/endMandateIssuer.ts';
import { chainAuthorizer } from './chains/judgeChain.ts';
import { checkoutAuthorizer } from './checkouts/mandatesOfPayment.ts';
import { profileRoute } from './checkouts/profileRoute.ts';
import { delegationAuthorizer } from './delegations/judgeDelegation.ts';
import { operations } from './mandateOperations.ts';
import { routes } from './mandateRoutes.ts';
import { useAuthorizer } from './uses/countUses.ts';

export const mandates = extension({
  name: 'mandates',
  operations,
  routes,
  documents: async () => (await import('./mandateDocuments.ts')).documents,
  tools: async () => (await import('./tools.ts')).mandateTools,
  openRoutes: (facts) => [profileRoute(facts)],
  guide: () =>
    '- Mandates of AP2 and Verifiable Intent: over MCP by issue_payment_credential, initiate_payment and others as AP2 names them.',
  start: () => ({
    authorizers: [delegationAuthorizer, chainAuthorizer, useAuthorizer, checkoutAuthorizer, ap2CartAuthorizer],
    exchanges: mandateExchanges,
    hooks: { afterKeyEnd: [endCredentialsOfKey] },
  }),
});
