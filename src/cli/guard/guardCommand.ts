/** `countersign guard`: what it takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

const DEFAULT_FILE = 'guard.toml';

export function declareGuard(program: Command, env: NodeJS.ProcessEnv): void {
  const guard = program
    .command('guard')
    .description('Stand before the money tools of other MCP servers: a node decides before a call goes on.')
    .argument('[command...]', 'after --: what starts the server, where the file does not say')
    .option('--config <file>', 'the rules', DEFAULT_FILE)
    .addOption(
      new Option(
        '--port <port>',
        'serve HTTP on this machine in place of stdio, 0 for any port that is free',
      ).argParser((text) => {
        if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
        throw new InvalidArgumentError('It must be a port, 0 to 65535.');
      }),
    )
    .action(async (command: string[], { config, port }) => run({ config, command, port, env }));
  guard
    .command('check')
    .description(
      'Show what the rules do with each tool of the servers, and what changed line by line; exit 1 where a person has to look.',
    )
    .argument('[command...]', 'after --: what starts the server, where the file does not say')
    .option('--config <file>', 'the rules', DEFAULT_FILE)
    .option('--accept', 'accept the tools as they are now')
    .action(async (command: string[], { config, accept = false }) => run({ config, command, check: { accept }, env }));
  targetOptions(guard.command('list'), 'read')
    .description('List the guards that told a node of their tools, newest first.')
    .addOption(limit())
    .option('--agent <did>', 'those of one agent')
    .action(async (options) => (await import('./guardActions.ts')).listGuards(env, options));
  targetOptions(guard.command('show <id>'), 'read')
    .description(
      'Show what the rules of one do with each tool, and all that a model is told of those that wait, with what changed.',
    )
    .action(async (id, options) => (await import('./guardActions.ts')).showGuard(env, id, options));
  targetOptions(guard.command('accept <id>'), 'admin')
    .description('Accept tools as they were shown, as an OWNER who has logged in, or in the data folder.')
    .requiredOption('--server <name>', 'the server that lists them')
    .requiredOption('--tools <tool@hash...>', 'each as it was shown, such as create_payment@1a2b3c4d5e6f')
    .action(async (id, options) => (await import('./guardActions.ts')).acceptTools(env, id, options));
  targetOptions(guard.command('remove <id>'), 'admin')
    .description('Remove a guard that stands nowhere any more, and what was accepted of it.')
    .action(async (id, options) => (await import('./guardActions.ts')).removeGuard(env, id, options));
}

async function run(options: object): Promise<void> {
  await (await import('../extensionProgram.ts')).runExtensionProgram('guard', options);
}
