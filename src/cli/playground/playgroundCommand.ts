/** `countersign playground`: what it takes. */
import type { Command } from 'commander';
import { count, seconds } from '../input/optionTypes.ts';

export function declarePlayground(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('playground')
    .description('Have agents shop by themselves in a sandbox until Ctrl-C, a line a step.')
    .option('--url <address>', 'a running sandbox; without it the one that runs here (COUNTERSIGN_URL)')
    .option('--key <key>', 'a key of that node with the permission admin (COUNTERSIGN_API_KEY)')
    .option('--profile <name>', 'the node that you logged in at under this name (COUNTERSIGN_PROFILE)')
    .addOption(seconds('--pace <seconds>', 'how long to wait after each step').default(2))
    .addOption(count('--agents <number>', 'how many agents, 1 to 12').default(4))
    .addOption(count('--purchases <number>', 'end after so many'))
    .option('--own', 'on a node of its own, whose data are gone afterwards; so it is too where none runs here')
    .action(async (options) => (await import('./runPlayground.ts')).playground(env, options));
}
