/**
 * A process that writes rows and reads them, and prints of each one that it was told of when that was: how long the journal
 * (test/support/powerCut/journal.c) was then. It ends by itself, or when it is killed.
 */
import { statSync } from 'node:fs';
import { isUniqueViolation } from '../../../src/store/failure.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { all, get } from '../../../src/store/store.ts';
import { addNote, NOTES_OF } from '../notes.ts';

const [file = '', schemaFolder = '', tenantId = '', milliseconds = '', checkpointAt] = process.argv.slice(2);
const journal = process.env['POWER_CUT_JOURNAL'] ?? '';
const LANES = 6;

const store = await openStore({
  file,
  clock: Date.now,
  schemaFolder,
  checkpointAt: checkpointAt === undefined ? undefined : Number(checkpointAt),
});
const { last } = (await store.read(() =>
  get<{ last: number }>('SELECT COALESCE(MAX(seq), 0) AS last FROM notes WHERE tenant_id = ?', tenantId),
)) ?? { last: 0 };
const end = Date.now() + Number(milliseconds);
await Promise.all(Array.from({ length: LANES }, (_, lane) => work(last + 1 + lane)));
await store.close();

async function work(first: number): Promise<void> {
  const list = () => all<{ seq: number }>(NOTES_OF, tenantId);
  for (let seq = first; Date.now() < end; seq += LANES) {
    try {
      await add(seq);
      if (seq % 3 === 0) tellSeen(await store.read(list));
      if (seq % 10 === 0) tellSeen(await store.readApart(list));
      if (seq % 25 === 0) await store.onSnapshot(async ({ read }) => tellSeen(await read(list)));
      // Another lane adds the same.
      await add(seq + 1);
    } catch (error) {
      tell('failed', String(error));
    }
  }
}

/** A refusal tells of the row that is there already. */
async function add(seq: number): Promise<void> {
  const body = `${seq} ${'x'.repeat((seq * 37) % 3000)}`;
  await store
    .write(tenantId, () => addNote(tenantId, seq, body))
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
    });
  tell('told', [seq]);
}

function tellSeen(rows: readonly { readonly seq: number }[]): void {
  tell(
    'told',
    rows.slice(-30).map(({ seq }) => seq),
  );
}

function tell(what: string, value: unknown): void {
  process.stdout.write(`${JSON.stringify([what, tenantId, value, statSync(journal).size])}\n`);
}
