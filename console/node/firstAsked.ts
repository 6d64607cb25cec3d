/**
 * The requests of every screen (the agents' names) and of the screen Today, spelled as the client spells them. A visit sends them before the console's files have come;
 * one that is spelled otherwise would be sent twice.
 */
export const ALWAYS_ASKED: readonly string[] = ['/ap2/agents?limit=200'];

export const FIRST_ASKED: readonly string[] = [
  ...ALWAYS_ASKED,
  '/ap2/admin/attention',
  '/ap2/payments?limit=8',
  '/ap2/approvals?limit=8',
];
