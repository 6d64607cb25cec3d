/** `countersign key`: makes, lists and revokes API keys, at a running node or in the data folder. */
import { Command } from 'commander';
import pc from 'picocolors';
import type { Operations } from '../../../client/operations.ts';
import { PERMISSIONS } from '../../access/caller.ts';
import { TIER_NAMES } from '../../handlers/access/manageApiKeys.ts';
import { colour } from '../output/colour.ts';
import { columns, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { everyRecord } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';
import { rotateCommand } from './rotate.ts';

type CreateApiKey = Operations['createApiKey']['input'];

export function keyCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('key').description('Make, list and revoke API keys.');
  const sub = (name: string, description: string) =>
    targetOptions(command.command(name), 'admin').description(description);

  sub('create', 'Make a key and show it, this once.')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--permissions <list>', `comma-separated, of ${PERMISSIONS.join(', ')}`, 'read')
    .option('--tier <tier>', `one of ${TIER_NAMES.join(', ')}`, 'free')
    .action((options: TargetOptions & { name: string; permissions: string; tier: string }) =>
      withTarget(env, options, async ({ client }) => {
        const { name, tier } = options;
        const permissions = options.permissions.split(',').map((permission) => permission.trim());
        const made = await client.createApiKey({ name, permissions, tier } as CreateApiKey);
        print(options, made, `${pc.bold(made.key)}\n${made.id} may ${made.permissions.join(', ')}; shown this once.`);
      }),
    );
  sub('list', 'List keys, newest first.').action((options: TargetOptions) =>
    withTarget(env, options, async ({ client }) => {
      const keys = await everyRecord((page) => client.listApiKeys(page));
      const rows = keys.map(({ id, permissions, tier, lastUsedAt, revokedAt, name }) => [
        id,
        permissions.join(','),
        tier,
        lastUsedAt === null ? 'never' : localTime(lastUsedAt),
        revokedAt === undefined ? '' : { text: localTime(revokedAt), paint: colour.red },
        name,
      ]);
      print(options, keys, columns(['KEY', 'MAY', 'TIER', 'LAST USED', 'REVOKED', 'NAME'], rows));
    }),
  );
  sub('revoke <id>', 'Revoke a key; it is refused from then on.').action((id: string, options: TargetOptions) =>
    withTarget(env, options, async ({ client }) => {
      await client.revokeApiKey({ id });
      print(options, { id, revoked: true }, `${id} is revoked.`);
    }),
  );
  return command.addCommand(rotateCommand(env));
}
