/** `countersign policy`: what its commands take. */
import type { Command } from 'commander';
import { amount, count, limit, moment } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declarePolicy(program: Command, env: NodeJS.ProcessEnv): void {
  const policy = program.command('policy').description('Show, test and change what agents may spend.');
  targetOptions(policy.command('show [id]'), 'read')
    .description('Show the current policy, or the newest version of another one, or an older version.')
    .addOption(count('--version <number>', 'this version'))
    .option('--rules', 'only the rules, as JSON, ready to be edited and applied')
    .action(async (id, options) => (await import('./policyActions.ts')).showPolicy(env, id, options));
  targetOptions(policy.command('list'), 'read')
    .description('List every version of every policy, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./policyActions.ts')).listPolicies(env, options));
  targetOptions(policy.command('apply <file>'), 'admin')
    .description('Make the policy in a file the current one: its next version, or with --new another policy.')
    .option('--new', 'begin another policy in place of the current one')
    .option('--name <name>', 'its name; the one in the file when not given')
    .action(async (file, options) => (await import('./policyActions.ts')).applyPolicy(env, file, options));
  targetOptions(policy.command('diff <file>'), 'read')
    .description(
      'Tell what the policy in a file changes of the current one, and what of it is looser; exit code 1 where it does.',
    )
    .action(async (file, options) => (await import('./policyActions.ts')).diffPolicy(env, file, options));
  targetOptions(policy.command('simulate'), 'read')
    .description('Try a request against a policy, rule by rule; exit code 1 where it is refused.')
    .addOption(amount('--amount <amount>', 'in units of the currency').makeOptionMandatory())
    .requiredOption('--currency <code>', 'ISO 4217')
    .option('--merchant <domain>', 'where')
    .option('--mcc <code>', 'the merchant’s category (ISO 18245)')
    .option('--country <code>', 'the merchant’s country (ISO 3166-1)')
    .option('--agent <agent>', 'with this agent’s history; without it the agent has none')
    .option('--draft <file>', 'the policy in this file in place of the current one')
    .addOption(moment('--at <moment>', 'at this moment in place of now'))
    .option('--policy <id>', 'another policy than the current one, which takes the permission admin')
    .action(async (options) => (await import('./policyActions.ts')).simulatePolicy(env, options));
  policy
    .command('test <policy> <cases>')
    .description('Judge a file of cases by a policy in a file; exit code 1 where one fails.')
    .option('--json', 'answer in JSON')
    .action(async (file, cases, options) => (await import('./testPolicy.ts')).testPolicy(file, cases, options));
  targetOptions(policy.command('replay <draft>'), 'read')
    .description('Judge the requests of the last days by a draft, and list each decision that would flip, and why.')
    .addOption(count('--days <count>', 'how many days back; older requests build up history').default(30))
    .option('--fail-on-flips', 'exit code 1 where a decision would flip')
    .action(async (file, options) => (await import('./replayDraft.ts')).replayDraft(env, file, options));
}
