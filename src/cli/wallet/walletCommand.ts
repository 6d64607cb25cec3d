/** `countersign wallet`: what its commands take. */
import type { Command } from 'commander';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareWallet(program: Command, env: NodeJS.ProcessEnv): void {
  const wallet = program
    .command('wallet')
    .description('Add the wallets that pay by x402; their keys stay in the node.');
  targetOptions(wallet.command('add <network>'), 'admin')
    .description('Add a wallet on a chain (CAIP-2), such as eip155:8453; the node makes its key unless you give one.')
    .option('--key-file <file>', 'a file with the key of an account that exists, 0x and 64 digits')
    .option('--rpc-url <url>', 'where the chain is asked what became of a transfer')
    .option('--agent <did>', 'which agent pays with it; every agent unless --agent or --principal is given')
    .option('--principal <did>', 'whose money it is')
    .option('--assets <file>', 'tokens besides those that are known, as JSON')
    .action(async (network, options) => (await import('./walletActions.ts')).addWallet(env, network, options));
  targetOptions(wallet.command('list'), 'admin')
    .description('List wallets, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./walletActions.ts')).listWallets(env, options));
  targetOptions(wallet.command('show <id>'), 'admin')
    .description('Show one, without its key.')
    .action(async (id, options) => (await import('./walletActions.ts')).showWallet(env, id, options));
  targetOptions(wallet.command('remove <id>'), 'admin')
    .description('Remove one, and its key for good: move what it holds before.')
    .action(async (id, options) => (await import('./walletActions.ts')).removeWallet(env, id, options));
}
