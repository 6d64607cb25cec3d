/** `countersign policy simulate`: what the policy would say to a request; nothing is issued or recorded. */
import type { Command } from 'commander';
import { amountOf } from '../input/numbers.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

interface SimulateOptions extends TargetOptions {
  readonly policy?: string;
  readonly amount: string;
  readonly currency: string;
  readonly merchant?: string;
  readonly mcc?: string;
  readonly country?: string;
  readonly agent?: string;
}

type Simulation = Awaited<ReturnType<Target['client']['simulatePolicy']>>;

export function addSimulate(policy: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(policy.command('simulate'), 'admin')
    .description('Try a request against a policy; exit code 1 where it is refused.')
    .requiredOption('--amount <amount>', 'in units of the currency')
    .requiredOption('--currency <code>', 'ISO 4217')
    .option('--merchant <domain>', 'where')
    .option('--mcc <code>', 'the merchant’s category (ISO 18245)')
    .option('--country <code>', 'the merchant’s country (ISO 3166-1)')
    .option('--agent <did>', 'with this agent’s history, rather than as one that never bought anything')
    .option('--policy <id>', 'another policy than the current one')
    .action((options: SimulateOptions) => {
      const { currency, merchant: merchantDomain, mcc, country, agent: agentDid } = options;
      const request = {
        amount: amountOf(options.amount, '--amount'),
        currency,
        ...(merchantDomain && { merchantDomain }),
        ...(mcc && { mcc }),
        ...(country && { country }),
        ...(agentDid && { agentDid }),
      };
      return withTarget(env, options, async ({ client }) => {
        const id = options.policy ?? (await client.currentPolicy()).id;
        const simulation = await client.simulatePolicy({ id, request });
        print(options, simulation, sentences(simulation));
        if (!simulation.allowed) process.exitCode = 1;
      });
    });
}

function sentences({ allowed, hpRequired, reasonCodes, details }: Simulation): string {
  if (!allowed)
    return reasonCodes.map((code) => `${colour.red('✗')} ${code}: ${details[code]?.message ?? ''}`).join('\n');
  return `${colour.green('✓')} The policy allows it${hpRequired ? ', if the person approves it' : ''}.`;
}
