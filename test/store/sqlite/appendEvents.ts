/** A process that appends events of two tenants, with views beside the ledger, until it is killed. It prints a line for each commit. */
import { openStore } from '../../../src/store/openStore.ts';
import { append, TENANTS } from './listedEvents.ts';

const [file = ''] = process.argv.slice(2);
const store = await openStore({ file, clock: Date.now, views: true });
for (;;) {
  for (const tenantId of TENANTS) await store.write(tenantId, () => append(tenantId, 50));
  process.stdout.write('.\n');
}
