/** What `countersign wallet` does with the wallets of a node. */
import type { Operations, Wallet } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type Input = Operations['createWallet']['input'];

interface AddOptions extends TargetOptions {
  readonly keyFile?: string;
  readonly rpcUrl?: string;
  readonly agent?: string;
  readonly principal?: string;
  readonly assets?: string;
}

export function addWallet(env: Env, network: string, options: AddOptions): Promise<void> {
  const { keyFile, rpcUrl, agent: agentDid, principal: principalDid, assets: assetsFile } = options;
  const privateKey = keyFile === undefined ? undefined : readTextFile(keyFile).trim();
  const assets = assetsFile === undefined ? undefined : (readJsonFile(assetsFile) as Input['assets']);
  return withTarget(env, options, async ({ client }) => {
    const wallet = await client.createWallet({
      network,
      ...compact({ privateKey, rpcUrl, agentDid, principalDid, assets }),
    });
    print(options, wallet, describe(wallet));
  });
}

export function listWallets(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const wallets = await newest(options.limit, (page) => client.listWallets(page));
    const rows = wallets.map((wallet) => [
      wallet.id,
      wallet.network,
      wallet.address,
      localTime(wallet.createdAt),
      holderOf(wallet),
    ]);
    print(options, wallets, columns(['WALLET', 'CHAIN', 'ADDRESS', 'SINCE', 'WHOSE'], rows));
  });
}

export function showWallet(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const wallet = await client.getWallet({ id });
    print(options, wallet, describe(wallet));
  });
}

export function removeWallet(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeWallet({ id });
    print(options, { id, removed: true }, `${id} is removed.`);
  });
}

function holderOf({ agentDid, principalDid }: Wallet): string {
  return agentDid ?? principalDid ?? 'everybody';
}

/** One wallet, a member a line. */
function describe(wallet: Wallet): string {
  return facts({
    Wallet: wallet.id,
    Chain: wallet.network,
    Address: wallet.address,
    Whose: holderOf(wallet),
    'Asks at': wallet.rpcHost,
    Tokens: wallet.assets.length === 0 ? undefined : wallet.assets.map(({ symbol }) => symbol).join(', '),
    Since: localTime(wallet.createdAt),
  });
}
