/**
 * Reads the whole SQLite file once a day, beside the writer, and says so where it is damaged: a page that nothing asks for may
 * stay damaged for long, and is then in every backup.
 */

import { get } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';

/** A larger file is left to `countersign doctor` and `backup`, since reading it would take long at a stop. */
const MOST_BYTES = 256 * 1024 ** 2;

export async function examineFile({ store, log, data: { file: storeFile } }: Deps): Promise<void> {
  if (store.engine !== 'sqlite') return;
  const finding = await store
    .readApart(function* () {
      const size = yield* get<{ bytes: number }>(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
      );
      if (size === undefined || size.bytes > MOST_BYTES) return undefined;
      return (yield* get<{ quick_check: string }>('PRAGMA quick_check(1)'))?.quick_check ?? 'ok';
    })
    .catch(String);
  if (finding === undefined) return;
  storeFile.damage = finding === 'ok' ? undefined : finding.replaceAll('\n', ' ');
  if (storeFile.damage !== undefined) log.error('store.damaged', { file: storeFile.file, finding: storeFile.damage });
}
