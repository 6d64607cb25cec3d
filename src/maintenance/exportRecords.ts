/**
 * The records of a database as JSON lines, for another program to read: what was registered, decided, bought and proven. What only
 * this program needs is left out, and so is everything that opens something: hashes of keys and links, sealed secrets, logins.
 */

import { checkpoints } from '../store/statements/evidence/checkpoints.ts';
import { cosignatures } from '../store/statements/evidence/cosignatures.ts';
import { evidence } from '../store/statements/evidence/events.ts';
import { tenants } from '../store/statements/node/tenants.ts';
import { approvalRequests } from '../store/statements/people/approvals.ts';
import { passkeys } from '../store/statements/people/passkeys.ts';
import { users } from '../store/statements/people/users.ts';
import { disputes } from '../store/statements/purchases/disputes.ts';
import { intents } from '../store/statements/purchases/intents.ts';
import { payments } from '../store/statements/purchases/payments.ts';
import { sharedPaymentTokens } from '../store/statements/purchases/sharedPaymentTokens.ts';
import { agents } from '../store/statements/registry/agents.ts';
import { instruments } from '../store/statements/registry/instruments.ts';
import { merchants } from '../store/statements/registry/merchants.ts';
import { policies } from '../store/statements/registry/policies.ts';
import { delegations, principals } from '../store/statements/registry/principals.ts';
import type { Table } from '../store/statements/tableDefinition.ts';
import type { Store } from '../store/store.ts';
import { readRows } from './readRows.ts';

/** Those that others refer to come first. */
const RECORDS: readonly Table[] = [
  tenants,
  users,
  passkeys,
  principals,
  agents,
  delegations,
  merchants,
  instruments,
  policies,
  intents,
  approvalRequests,
  payments,
  disputes,
  sharedPaymentTokens,
  evidence,
  checkpoints,
  cosignatures,
];

/** What the first line says of the file. */
interface Header {
  readonly program: string;
  readonly schema: number;
  /** When it was made, RFC 3339. */
  readonly exportedAt: string;
}

/**
 * Gives lines of JSON, all from one snapshot: the header as `{"export":…}`, each row as `{"table":…,"row":…}` with the columns as
 * they are stored (times in milliseconds, money in minor units, JSON as text), and last `{"end":{"rows":…}}`, by which a reader
 * knows that nothing is missing.
 * @param write takes pieces of text, each of whole lines
 * @returns how many rows each table had
 */
export function exportRecords(
  store: Store,
  header: Header,
  write: (text: string) => Promise<void>,
): Promise<Record<string, number>> {
  return store.onSnapshot(async (snapshot) => {
    const counts: Record<string, number> = {};
    await write(`${JSON.stringify({ export: header })}\n`);
    for (const table of RECORDS) {
      let rows = 0;
      for await (const found of readRows(snapshot, table)) {
        rows += found.length;
        await write(found.map((row) => `${JSON.stringify({ table: table.name, row })}\n`).join(''));
      }
      counts[table.name] = rows;
    }
    await write(`${JSON.stringify({ end: { rows: counts } })}\n`);
    return counts;
  });
}
