/** The principals whose money agents spend, for forms that choose one and lists that name one. */
import type { Principal } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';

/** So many are offered; the page of each offers it, too. */
const MOST = 200;

export function usePrincipals(): {
  readonly principals: readonly Principal[];
  nameOf(did?: string): string | undefined;
} {
  const principals = useLoaded('principals', load, ['principal', 'delegation']).value ?? [];
  return { principals, nameOf: (wanted) => principals.find(({ did }) => did === wanted)?.name };
}

/** None for who may not see them. */
async function load(signal: AbortSignal): Promise<readonly Principal[]> {
  if (!may('admin')) return [];
  return (await node.listPrincipals({ limit: MOST }, { signal })).data;
}
