/** Checks how each chain stands with its witnesses. */
import type { Finding } from '../../handlers/checks/finding.ts';
import { judgeStanding, standingOf } from '../../handlers/witnesses/witnessStanding.ts';
import type { Config } from '../../node/config.ts';
import { witnessIn } from '../../node/witnessConfig.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Store } from '../../store/store.ts';

/**
 * @param now milliseconds since the epoch
 * @returns the gravest finding of all chains; none where no witness is named
 */
export async function checkWitnesses(store: Store, config: Config, now: number): Promise<Finding[]> {
  const witnesses = { named: config.witnesses.map(witnessIn), quorum: config.witnessQuorum ?? 0 };
  const found: Finding[] = [];
  for (const { id } of await store.read(listTenants)) {
    const standing = await store.read(() => standingOf(witnesses, id, store.engine, now));
    found.push(...[judgeStanding(witnesses, standing) ?? []].flat());
  }
  const gravest = (['fault', 'warning', 'ok'] as const).map((level) => found.find((each) => each.level === level));
  return gravest.filter((each) => each !== undefined).slice(0, 1);
}
