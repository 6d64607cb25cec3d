/**
 * What a visit asks for before the console's files have come, each request spelled as the client spells it: one that is spelled
 * otherwise would be sent twice.
 */

/** For every screen: the agents' names. */
export const ALWAYS_ASKED: readonly string[] = ['/ap2/agents?limit=200'];

/** For the screen Today. */
export const FIRST_ASKED: readonly string[] = [
  ...ALWAYS_ASKED,
  '/ap2/admin/attention',
  '/ap2/payments?limit=8',
  '/ap2/approvals?limit=8',
];
