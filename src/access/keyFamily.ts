/** Which keys a key made, by itself and by keys that it made. */

interface KeyWithMaker {
  readonly id: string;
  /** Who made it: `key`, a space and the id, where a key did. */
  readonly madeBy?: string;
}

/** @param all in any order: after a clock was set back a key may have a smaller id than its maker */
export function keysMadeBy<Key extends KeyWithMaker>(id: string, all: readonly Key[]): readonly Key[] {
  const byMaker = new Map<string, Key[]>();
  for (const key of all) {
    const maker = key.madeBy ?? '';
    const made = byMaker.get(maker);
    if (made === undefined) byMaker.set(maker, [key]);
    else made.push(key);
  }
  const found: Key[] = [...(byMaker.get(`key ${id}`) ?? [])];
  for (const each of found) found.push(...(byMaker.get(`key ${each.id}`) ?? []));
  return found;
}
