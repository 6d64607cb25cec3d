/** `countersign mcp`: what it takes. */
import type { Command } from 'commander';
import { DEFAULT_URL } from '../target/targetOptions.ts';

export function declareMcp(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('mcp')
    .description(
      'Serve the tools of a node to a model over stdio (Model Context Protocol), for hosts that start programs.',
    )
    .option('--url <address>', 'the node (COUNTERSIGN_URL)', env['COUNTERSIGN_URL'] ?? DEFAULT_URL)
    .option('--key <key>', 'a key of that node with the permissions read and write (COUNTERSIGN_API_KEY)')
    .option(
      '--agent <did>',
      'the agent that buys, where a call names none; without it the one that the key is bound to',
    )
    .action(async (options) => (await import('./serveMcp.ts')).serveMcp(env, options));
}
