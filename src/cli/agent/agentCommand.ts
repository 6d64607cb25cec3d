/** `countersign agent`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { amount, count, duration, limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareAgent(program: Command, env: NodeJS.ProcessEnv): void {
  const agent = program
    .command('agent')
    .description('Register, show, limit and stop agents. <agent> is a DID, or a name that one agent alone has.');
  agent
    .command('keygen')
    .description('Make an Ed25519 key for an agent. The seed is the secret; the node gets only the public key.')
    .option('--out <file>', 'keep the 32 bytes of the seed in a new file, readable by you alone')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./keygen.ts')).makeKey(options));
  targetOptions(agent.command('add'), 'admin')
    .description('Register an agent by its public key.')
    .requiredOption('--name <name>', 'what the owner calls it')
    .option('--public-key <key>', 'base58 or multibase, as agent keygen prints it')
    .option('--key-file <file>', 'the seed that agent keygen kept; only its public key is sent')
    .option('--description <text>', 'what it is for')
    .option('--capability <name...>', 'what it can do, for the owner to read')
    .action(async (options) => (await import('./agentActions.ts')).addAgent(env, options));
  targetOptions(agent.command('show <agent>'), 'read')
    .description('Show one agent.')
    .action(async (did, options) => (await import('./agentActions.ts')).showAgent(env, did, options));
  operationOptions(targetOptions(agent.command('list'), 'read'), 'listAgents')
    .description('List agents, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./agentActions.ts')).listAgents(env, options));
  operationOptions(targetOptions(agent.command('limits'), 'read'), 'listLimits')
    .description('Show what the limits of agents allow, what of it is used now, and when each was last seen.')
    .addOption(limit())
    .action(async (options) => (await import('./agentActions.ts')).listLimits(env, options));
  targetOptions(agent.command('revoke <agent>'), 'admin')
    .description('Revoke an agent for good, and void its approval tokens.')
    .requiredOption('--reason <text>', 'why; the evidence records it')
    .action(async (did, options) => (await import('./agentActions.ts')).revokeAgent(env, did, options));
  targetOptions(agent.command('suspend [agent]').alias('freeze'), 'admin')
    .description('Suspend (freeze) an agent until it is reactivated: its state is then SUSPENDED.')
    .option('--all', 'every active agent: nothing is bought any more')
    .option('--reason <text>', 'why; the evidence records it')
    .action(async (did, options) => (await import('./agentActions.ts')).suspendAgent(env, did, options));
  targetOptions(agent.command('reactivate <agent>'), 'admin')
    .description('Let a suspended agent buy again.')
    .action(async (did, options) => (await import('./agentActions.ts')).reactivateAgent(env, did, options));
  targetOptions(agent.command('limit <agent>'), 'admin')
    .description('Give an agent limits of its own, in place of the policy’s for each agent; what is not given stays.')
    .addOption(count('--transactions <count>', 'the most purchases in the window'))
    .addOption(amount('--amount <amount>', 'the most it may spend in the window'))
    .addOption(duration('--window <duration>', 'such as 30m, 24h or 7d; with --transactions or --amount'))
    .option('--limits <file>', 'in place of risk.limits of each agent: a JSON list (- for standard input), [] for none')
    .action(async (did, options) => (await import('./agentActions.ts')).limitAgent(env, did, options));
  targetOptions(agent.command('enroll-link <agent>'), 'admin')
    .description(
      'Make a link, and its QR code, by which a person enrolls one passkey for an agent; see also "principal enroll-link".',
    )
    .option('--device <name>', 'a name for the passkey; the person may choose another')
    .addOption(count('--minutes <count>', 'how long the link works').default(15))
    .action(async (did, options) =>
      (await import('../principal/principalActions.ts')).makeEnrollLink(env, { agent: did }, options),
    );
}
