/**
 * The requests of the screen Today, spelled as the client spells them. A visit sends them before the console's files have come;
 * one that is spelled otherwise would be sent twice.
 */
export const FIRST_ASKED: readonly string[] = [
  '/ap2/admin/attention',
  '/ap2/payments?limit=8',
  '/ap2/approvals?limit=8',
];
