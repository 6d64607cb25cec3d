/** `countersign upgrade --check`: what it takes. */
import type { Command } from 'commander';

export function declareUpgrade(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('upgrade')
    .description('Ask the releases’ host for the newest version, and verify what it says. It changes nothing.')
    .requiredOption('--check', 'ask; this program puts no version in place by itself')
    .option('--from <address>', 'a mirror of the releases (COUNTERSIGN_RELEASES_URL)')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./upgradeActions.ts')).checkUpgrade(env, options));
}
