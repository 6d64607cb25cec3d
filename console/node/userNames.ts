/** The names of the people who use this node, for who may know them. */
import { each } from '../../client/records.ts';
import { may } from '../login/may.ts';
import { node } from './node.ts';

const MOST = 400;

/** @returns names by the user's id, of those who may look in; empty for who may not administer */
export async function userNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (!may('admin')) return names;
  for await (const { id, name, email, did, role, removedAt } of each(node.listUsers, { limit: 200 }, { signal })) {
    if (removedAt === undefined && role !== 'PENDING') names.set(id, name ?? email ?? `…${did.slice(-8)}`);
    if (names.size >= MOST) break;
  }
  return names;
}
