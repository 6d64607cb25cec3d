/** A process that writes rows until it is killed and prints the number of each one that was acknowledged. */
import { openStore } from '../../src/store/openStore.ts';
import { run } from '../../src/store/store.ts';

const [file = '', schemaFolder] = process.argv.slice(2);
const store = await openStore({ file, clock: Date.now, schemaFolder });

async function writeFrom(first: number, step: number): Promise<never> {
  for (let seq = first; ; seq += step) {
    await store.write('t', () => run('INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, NULL)', 't', seq));
    process.stdout.write(`${seq}\n`);
  }
}

await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((first) => writeFrom(first, 8)));
