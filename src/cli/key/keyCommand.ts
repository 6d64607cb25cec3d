/** `countersign key`: makes, lists and revokes API keys, at a running node or in the data folder. */
import { Command } from 'commander';
import pc from 'picocolors';
import { PERMISSIONS } from '../../access/caller.ts';
import { TIER_NAMES } from '../../handlers/access/manageApiKeys.ts';
import { WrongUse } from '../exit.ts';
import { colour } from '../output/colour.ts';
import { columns, localTime } from '../output/layout.ts';
import { print, type Where, whereOptions } from '../target/reach.ts';
import { type KeyStore, keysOfFolder, keysOfNode } from './keyStore.ts';
import { rotateCommand } from './rotate.ts';

export function keyCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('key').description('Make, list and revoke API keys.');
  const sub = (name: string, description: string) =>
    whereOptions(command.command(name), 'admin').description(description);

  sub('create', 'Make a key and show it, this once.')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--permissions <list>', `comma-separated, of ${PERMISSIONS.join(', ')}`, 'read')
    .option('--tier <tier>', `one of ${TIER_NAMES.join(', ')}`, 'free')
    .action((options: Where & { name: string; permissions: string; tier: string }) =>
      withKeys(env, options, async (keys) => {
        const { name, tier } = options;
        const permissions = options.permissions.split(',').map((permission) => permission.trim());
        const made = await keys.create({ name, permissions, tier });
        print(options, made, `${pc.bold(made.key)}\n${made.id} may ${made.permissions.join(', ')}; shown this once.`);
      }),
    );
  sub('list', 'List keys, newest first.').action((options: Where) =>
    withKeys(env, options, async (keys) => {
      const all = await keys.list();
      const rows = all.map(({ id, permissions, tier, lastUsedAt, revokedAt, name }) => [
        id,
        permissions.join(','),
        tier,
        lastUsedAt === null ? 'never' : localTime(lastUsedAt),
        revokedAt === undefined ? '' : { text: localTime(revokedAt), paint: colour.red },
        name,
      ]);
      print(options, all, columns(['KEY', 'MAY', 'TIER', 'LAST USED', 'REVOKED', 'NAME'], rows));
    }),
  );
  sub('revoke <id>', 'Revoke a key; it is refused from then on.').action((id: string, options: Where) =>
    withKeys(env, options, async (keys) => {
      await keys.revoke(id);
      print(options, { id, revoked: true }, `${id} is revoked.`);
    }),
  );
  return command.addCommand(rotateCommand(env));
}

async function withKeys(env: NodeJS.ProcessEnv, where: Where, act: (keys: KeyStore) => Promise<void>): Promise<void> {
  const url = where.url ?? env['COUNTERSIGN_URL'];
  const key = where.key ?? env['COUNTERSIGN_API_KEY'];
  if (url !== undefined && key === undefined) {
    throw new WrongUse(`A running node wants a key: give --key, or set COUNTERSIGN_API_KEY.`);
  }
  const keys = url === undefined || key === undefined ? await keysOfFolder(env) : keysOfNode(url, key);
  try {
    await act(keys);
  } finally {
    await keys.close();
  }
}
