/** Reads a status list for the gates, of which a reader needs no credential. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { BuiltStatusList } from '../../usecase/services.ts';
import { buildStatusList, keepStatusList, keptStatusList, type ListDeps } from './buildStatusList.ts';

export type ReadDeps = ListDeps & Pick<Deps, 'clock' | 'store'>;

/**
 * A list as a document and as a token. All that ask for it at once wait for one read.
 * @param list counted from 1
 * @throws Fault NOT_FOUND for one that there is none of, GONE for one whose key was given up
 */
export async function readStatusList(deps: ReadDeps, list: number): Promise<Pick<BuiltStatusList, 'vc' | 'vc+jwt'>> {
  const kept = keptStatusList(deps, list, deps.clock());
  if (kept !== undefined) return kept;
  const { reads } = deps.memory.statusLists;
  const underWay = reads.get(list);
  if (underWay !== undefined) return underWay;
  const read = buildAndKeep(deps, list).finally(() => reads.delete(list));
  reads.set(list, read);
  return read;
}

async function buildAndKeep(deps: ReadDeps, list: number): Promise<BuiltStatusList> {
  const built = await deps.store.readApart((now) => buildStatusList(deps, list, now));
  if (built === 'unknown') throw new Fault('NOT_FOUND', `There is no status list ${list}.`);
  if (built === 'unsigned') {
    throw new Fault('GONE', `The key that signed status list ${list} is used no more; no mandate in it holds.`);
  }
  keepStatusList(deps, list, built);
  return built;
}
