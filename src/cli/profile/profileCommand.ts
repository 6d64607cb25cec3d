/** `countersign login`, `logout` and `profiles`, and `--profile` of the commands that work on a node. */
import type { Command } from 'commander';
import { WrongUse } from '../commandFailure.ts';
import { DEFAULT_URL } from '../target/targetOptions.ts';

const DEFAULT_PROFILE = 'default';

export function declareProfiles(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('login')
    .description('Log in at a node, by your passkey in the browser or by a key, under the name of a profile.')
    .option('--url <address>', 'the node (COUNTERSIGN_URL)', env['COUNTERSIGN_URL'] ?? DEFAULT_URL)
    .option('--profile <name>', 'what to call it', DEFAULT_PROFILE)
    .option('--with-key', 'by a key that standard input brings, without a browser')
    .option('--no-browser', 'print the address only')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./profileActions.ts')).logIn(env, options));
  program
    .command('logout')
    .description('End the login of a profile, and forget it.')
    .option('--profile <name>', 'which one', DEFAULT_PROFILE)
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./profileActions.ts')).logOut(env, options));
  program
    .command('profiles')
    .description('List the nodes that you are logged in at.')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./profileActions.ts')).listProfiles(env, options));
  program.hook('preAction', (_program, command) => useProfile(env, command));
}

/** Gives a command the address and the secret of the profile that it names, as if they had been its options. */
async function useProfile(env: NodeJS.ProcessEnv, command: Command): Promise<void> {
  if (command.name() === 'login' || !command.options.some(({ long }) => long === '--url')) return;
  const options = command.opts<{ readonly profile?: string; readonly key?: string }>();
  const isUrlGiven = command.getOptionValueSource('url') === 'cli';
  if (isUrlGiven && options.profile !== undefined)
    throw new WrongUse('Give --profile or --url; a profile has its own address.');
  const name = options.profile ?? (isUrlGiven ? '' : (env['COUNTERSIGN_PROFILE'] ?? ''));
  if (name === '') return;
  if (options.profile === undefined && (env['COUNTERSIGN_URL'] ?? '') !== '') {
    throw new WrongUse('COUNTERSIGN_PROFILE and COUNTERSIGN_URL are both set; unset one of them.');
  }
  const { targetOf } = await import('./keptLogin.ts');
  const { url, key, kind } = await targetOf(env, name);
  if (kind === 'login' && command.name() === 'mcp') {
    throw new WrongUse(
      'An MCP host runs for longer than a login’s token lasts; give it a key, by --key or COUNTERSIGN_API_KEY.',
    );
  }
  command.setOptionValue('url', url);
  if (options.key === undefined) command.setOptionValue('key', key);
}
