/** Checks how each chain stands with its witnesses. */

import { judgeStanding, standingOf } from '../../domain/witnesses/witnessStanding.ts';
import type { Config } from '../../node/config/config.ts';
import { witnessIn } from '../../node/config/witnessConfig.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Store } from '../../store/store.ts';
import type { Finding } from '../../usecase/finding.ts';

const GRAVEST_FIRST: readonly Finding['level'][] = ['fault', 'warning', 'ok'];

/**
 * @param now milliseconds since the epoch
 * @returns the gravest finding of all chains; none where no witness is named
 */
export async function checkWitnesses(store: Store, config: Config, now: number): Promise<Finding[]> {
  if (config.witnesses.length === 0) return [];
  const witnesses = { named: config.witnesses.map(witnessIn), quorum: config.witnessQuorum ?? 0 };
  const found: Finding[] = [];
  for (const { id } of await store.read(listTenants)) {
    const standing = await store.read(() => standingOf(witnesses, id, store.engine, now));
    found.push(judgeStanding(witnesses, standing));
  }
  return found
    .toSorted((one, other) => GRAVEST_FIRST.indexOf(one.level) - GRAVEST_FIRST.indexOf(other.level))
    .slice(0, 1);
}
