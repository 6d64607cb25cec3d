/** `countersign limits`: limits over time, with what is used of them now. */
import { compact } from '../../../protocol/wire/compact.ts';
import { limitTable } from '../output/limitText.ts';
import { print } from '../output/print.ts';
import { agentCalled, principalCalled } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface LimitsOptions extends TargetOptions {
  readonly agent?: string;
  readonly principal?: string;
}

export function showLimits(env: NodeJS.ProcessEnv, options: LimitsOptions): Promise<void> {
  const { agent, principal } = options;
  return withTarget(env, options, async ({ client }) => {
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const principalDid = principal === undefined ? undefined : await principalCalled(client, principal);
    const shown = await client.showLimits(compact({ agentDid, principalDid }));
    print(options, shown, shown.limits.length === 0 ? noneText(options) : limitTable(shown.limits));
  });
}

function noneText({ agent, principal }: LimitsOptions): string {
  if (agent !== undefined) return 'No limit over time holds for this agent.';
  return principal === undefined
    ? 'No limit is shared by all agents; --agent shows those of one, --principal those that its agents share.'
    : 'No limit is shared by the agents of this principal; --agent shows those of one.';
}
