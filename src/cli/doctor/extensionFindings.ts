/** Has extensions look how each chain stands. */
import type { Config } from '../../node/config/config.ts';
import { examinersOf } from '../../node/config/extensionConfig.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { Store } from '../../store/store.ts';
import type { Finding } from '../../usecase/finding.ts';

const GRAVEST_FIRST: readonly Finding['level'][] = ['fault', 'warning', 'ok'];

/**
 * @param now milliseconds since the epoch
 * @returns of each extension that finds anything, the gravest finding of all tenants
 */
export async function askExtensions(store: Store, config: Config, now: number): Promise<Finding[]> {
  const tenants = await store.read(listTenants);
  const gravest: Finding[] = [];
  for (const examine of examinersOf(config)) {
    const found: Finding[] = [];
    for (const { id } of tenants) found.push(...(await examine(store, id, now)));
    const order = found.toSorted((one, other) => GRAVEST_FIRST.indexOf(one.level) - GRAVEST_FIRST.indexOf(other.level));
    gravest.push(...order.slice(0, 1));
  }
  return gravest;
}
