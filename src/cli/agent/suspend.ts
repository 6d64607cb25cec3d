/** `countersign agent revoke|suspend|reactivate|limit`. */
import type { Command } from 'commander';
import type { Agent } from '../../../protocol/agent.ts';
import { WrongUse } from '../exit.ts';
import { amountOf, wholeNumber } from '../input/numbers.ts';
import { print } from '../output/print.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';
import { describeAgent } from './registry.ts';

interface LimitOptions extends TargetOptions {
  readonly transactions?: string;
  readonly amount?: string;
  readonly window: string;
}

export function addGovernance(agent: Command, env: NodeJS.ProcessEnv): void {
  const sub = (name: string, description: string) =>
    targetOptions(agent.command(name), 'admin').description(description);
  const change = (options: TargetOptions, act: (client: Target['client']) => Promise<unknown>) =>
    withTarget(env, options, async ({ client }) => {
      const changed = (await act(client)) as Agent;
      print(options, changed, describeAgent(changed));
    });

  sub('revoke <did>', 'Revoke an agent for good, and void the approvals it holds.')
    .requiredOption('--reason <text>', 'why; it stands in the evidence')
    .action((did: string, options: TargetOptions & { reason: string }) =>
      change(options, (client) => client.revokeAgent({ did, reason: options.reason })),
    );
  sub('suspend <did>', 'Suspend an agent until it is reactivated.')
    .option('--reason <text>', 'why; it stands in the evidence')
    .action((did: string, options: TargetOptions & { reason?: string }) => {
      const { reason } = options;
      return change(options, (client) => client.suspendAgent({ did, ...(reason === undefined ? {} : { reason }) }));
    });
  sub('reactivate <did>', 'Let a suspended agent ask again.').action((did: string, options: TargetOptions) =>
    change(options, (client) => client.reactivateAgent({ did })),
  );
  sub('limit <did>', 'Give an agent a limit of its own, in place of the policy’s limit per agent.')
    .option('--transactions <count>', 'the most purchases in the window')
    .option('--amount <amount>', 'the most it may spend in the window')
    .requiredOption('--window <duration>', 'such as 30m, 24h or 7d')
    .action((did: string, options: LimitOptions) => {
      const { transactions, amount, window: timeWindow } = options;
      if (transactions === undefined && amount === undefined)
        throw new WrongUse('Give --transactions, --amount or both.');
      const limit = {
        timeWindow,
        ...(transactions === undefined ? {} : { maxTransactions: wholeNumber(transactions, '--transactions') }),
        ...(amount === undefined ? {} : { maxAmount: amountOf(amount, '--amount') }),
      };
      return change(options, (client) => client.setAgentVelocity({ did, ...limit }));
    });
}
