/** `countersign user`: what its commands take. */
import type { Command } from 'commander';
import { memberOption } from '../input/operationOptions.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareUser(program: Command, env: NodeJS.ProcessEnv): void {
  const user = program.command('user').description('Invite people to the console, list and remove them.');
  targetOptions(user.command('invite'), 'admin')
    .description('Make a link by which a person becomes a user, or a user who lost every passkey gets back in.')
    .addOption(memberOption('createInvitation', 'role'))
    .option('--name <name>', 'what to call them')
    .option('--mail <address>', 'where the link is sent, by a running node that sends mail; it is not shown then')
    .option('--user <id>', 'a user who is to get a new passkey, and keeps their role; on the data folder only')
    .action(async (options) => (await import('./userActions.ts')).inviteUser(env, options));
  user
    .command('remove <id>')
    .description(
      'Remove a person on the data folder: their logins, keys and links end, and the agents they own are named.',
    )
    .option('--suspend-agents', 'suspend the agents that the person owns')
    .option('--json', 'answer in JSON')
    .action(async (id, options) => (await import('./userActions.ts')).removeUser(env, id, options));
  targetOptions(user.command('list'), 'admin')
    .description('List users, newest first.')
    .action(async (options) => (await import('./userActions.ts')).listUsers(env, options));
}
