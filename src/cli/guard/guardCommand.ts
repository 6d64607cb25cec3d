/** `countersign guard`: what it takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';

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
      'Show what the rules do with each tool of the servers, and what changed; exit 1 where a person has to look.',
    )
    .argument('[command...]', 'after --: what starts the server, where the file does not say')
    .option('--config <file>', 'the rules', DEFAULT_FILE)
    .option('--accept', 'accept the tools as they are now')
    .action(async (command: string[], { config, accept = false }) => run({ config, command, check: { accept }, env }));
}

async function run(options: object): Promise<void> {
  await (await import('../extensionProgram.ts')).runExtensionProgram('guard', options);
}
