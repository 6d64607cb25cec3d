/** `countersign principal`: what its commands take. */
import type { Command } from 'commander';
import { count, limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declarePrincipal(program: Command, env: NodeJS.ProcessEnv): void {
  const principal = program
    .command('principal')
    .description(
      'Say whose money is spent (a person or company, the principal), and which agents may spend it. Both go by DID, or by name.',
    );
  targetOptions(principal.command('add <did>'), 'admin')
    .description(
      'Register a person or company whose money is spent. From then on only the agents it names may spend its money.',
    )
    .requiredOption('--name <name>', 'what the approval page calls it')
    .option('--agent <agent...>', 'an agent that may spend its money')
    .action(async (did, options) => (await import('./principalActions.ts')).addPrincipal(env, did, options));
  targetOptions(principal.command('list'), 'admin')
    .description('List whose money is spent, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./principalActions.ts')).listPrincipals(env, options));
  targetOptions(principal.command('show <principal>'), 'admin')
    .description('Show a person or company, the agents that may spend its money, its passkeys and its payment methods.')
    .action(async (did, options) => (await import('./principalActions.ts')).showPrincipal(env, did, options));
  targetOptions(principal.command('rename <principal>'), 'admin')
    .description('Change what the approval page calls a person or company.')
    .requiredOption('--name <name>', 'the new name')
    .action(async (did, options) => (await import('./principalActions.ts')).renamePrincipal(env, did, options));
  targetOptions(principal.command('delegate <principal>'), 'admin')
    .description('Let agents spend the money of a person or company.')
    .requiredOption('--agent <agent...>', 'an agent to add')
    .action(async (did, options) => (await import('./principalActions.ts')).delegate(env, did, options));
  targetOptions(principal.command('withdraw <principal>'), 'admin')
    .description('Let agents spend that money no longer; purchases under way are refused, too.')
    .requiredOption('--agent <agent...>', 'an agent to take away')
    .action(async (did, options) => (await import('./principalActions.ts')).withdraw(env, did, options));
  targetOptions(principal.command('enroll-link <principal>'), 'admin')
    .description('Make a link, and its QR code, by which a person enrolls one passkey for a person or company.')
    .option('--device <name>', 'a name for the passkey; the person may choose another')
    .addOption(count('--minutes <count>', 'how long the link works').default(15))
    .action(async (did, options) =>
      (await import('./principalActions.ts')).makeEnrollLink(env, { principal: did }, options),
    );
}
