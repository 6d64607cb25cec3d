/** What a production node cannot do yet, and what its owner does about it: said at its start, and not learnt from a refusal. */
import { allowsNothing } from '../../../protocol/policy/rules/amountCap.ts';
import { StoredRules } from '../../../protocol/policy/rules.ts';
import { type ExtensionConfig, railRemedy } from '../../node/config/extensionConfig.ts';
import type { Node } from '../../node/startNode.ts';
import { canPayCarts } from '../../rails/rail.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';

/** @returns one sentence for each; none for a node that is ready */
export async function whatIsLacking({ deps, tenantId, baseUrl }: Node, config: ExtensionConfig): Promise<string[]> {
  const policy = await deps.store.read(() => findCurrentPolicy(tenantId));
  const lacking: string[] = [];
  if (policy === undefined || allowsNothing(StoredRules.parse(JSON.parse(policy.rules)))) {
    lacking.push(
      `The policy allows nothing yet: write one (${baseUrl}/docs/policies says how), and "countersign policy apply" it.`,
    );
  }
  if (!canPayCarts(deps.rails)) {
    lacking.push(`No rail is configured, so every cart is refused (RAIL_UNAVAILABLE): ${railRemedy(config)}.`);
  }
  if (!baseUrl.startsWith('https:')) {
    lacking.push(
      `BASE_URL=${baseUrl} is not https: put the node behind a proxy that speaks it, and set BASE_URL to its address.`,
    );
  }
  return lacking;
}
