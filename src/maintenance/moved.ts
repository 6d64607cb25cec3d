/**
 * The mark of a database whose data was moved into another one: two nodes that go on from the same past would spend the
 * same limits twice, so nothing starts on the former one until its owner says so.
 */
import { deleteSetting, findSetting, putSetting } from '../store/statements/node/settings.ts';
import type { Reader, Script, Store } from '../store/store.ts';

const MOVED = 'moved_to';

interface MoveRecord {
  /** The other database, without a password. */
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function* markMoved(moved: MoveRecord): Script<void> {
  yield* putSetting(MOVED, JSON.stringify(moved));
}

/** @throws Error that says where the data went, and how to go on here all the same */
export async function refuseMoved(store: Reader): Promise<void> {
  const text = await store.read(() => findSetting(MOVED));
  if (text === undefined) return;
  const { to, at } = JSON.parse(text) as MoveRecord;
  throw new Error(
    `The data of this database was moved to ${to} on ${new Date(at).toISOString()}, and goes on there. Use that one; ` +
      'or, where nothing was done there since, go on here with "countersign migrate --take-back".',
  );
}

/** @returns false where it was not marked */
export async function takeBack(store: Store): Promise<boolean> {
  return store.write(MOVED, () => deleteSetting(MOVED));
}
