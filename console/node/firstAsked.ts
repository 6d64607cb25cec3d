/** What Today asks for, as it does: a visit asks for it before the console's files have come, and in another way it would be twice. */
export const FIRST_ASKED: readonly string[] = [
  '/ap2/admin/attention',
  '/ap2/payments?limit=8',
  '/ap2/approvals?limit=8',
];
