/** `countersign key`: what its commands take. */
import type { Command } from 'commander';
import { memberOption } from '../input/operationOptions.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareKey(program: Command, env: NodeJS.ProcessEnv): void {
  const key = program
    .command('key')
    .description('Make, list and revoke API keys; rotate the issuer’s key, the root key and the receipt key.');
  targetOptions(key.command('create'), 'admin')
    .description('Make a key, and show it this once.')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(memberOption('createApiKey', 'permissions').default(['read'], 'read'))
    .addOption(memberOption('createApiKey', 'tier').default('free'))
    .option('--agents <agent...>', 'agents that it acts for; it acts for these alone, and sees theirs alone')
    .option('--agent <agent...>', 'the same')
    .action(async (options) => (await import('./keyActions.ts')).createKey(env, options));
  targetOptions(key.command('list'), 'admin')
    .description('List keys, newest first.')
    .action(async (options) => (await import('./keyActions.ts')).listKeys(env, options));
  targetOptions(key.command('revoke <id>'), 'admin')
    .description('Revoke a key, and every key that it made; they are refused from then on.')
    .action(async (id, options) => (await import('./keyActions.ts')).revokeKey(env, id, options));
  key
    .command('rotate-issuer')
    .description('Give the stopped node of this data folder a new signing key; what was signed before keeps verifying.')
    .option('--compromised', 'the old key was stolen: refuse also what it dates earlier and the evidence does not have')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./rotateKey.ts')).rotateIssuer(env, options));
  key
    .command('rotate-root')
    .description('Give the stopped node of this data folder a new root key, and seal every secret with it.')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./rotateKey.ts')).rotateRoot(env, options));
  key
    .command('rotate-receipt')
    .description('Give the stopped node of this data folder a new key for receipts; former receipts keep verifying.')
    .option('--compromised', 'the old key was stolen: no receipt that it signed is to verify any more')
    .option('--json', 'answer in JSON')
    .action(async (options) => (await import('./rotateKey.ts')).rotateReceipt(env, options));
}
