/** What `countersign key` does with API keys at a node. */

import { compact } from '../../../protocol/wire/compact.ts';
import type { Permission } from '../../access/caller.ts';
import { keysMadeBy } from '../../access/keyFamily.ts';
import type { Tier } from '../../access/rateLimit.ts';
import { columns, localTime } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import { agentNames, agentsCalled, newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface CreateOptions extends TargetOptions {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly tier: Tier;
  readonly agents?: readonly string[];
  readonly agent?: readonly string[];
}

export function createKey(env: NodeJS.ProcessEnv, options: CreateOptions): Promise<void> {
  const { name, permissions, tier } = options;
  const named = [...(options.agents ?? []), ...(options.agent ?? [])];
  return withTarget(env, options, async ({ client }) => {
    const agents = named.length === 0 ? undefined : await agentsCalled(client, named);
    const made = await client.createApiKey({ name, permissions, tier, ...compact({ agents }) });
    const whose = made.agents === undefined ? '' : ` for ${made.agents.join(', ')}`;
    const text = `${colour.bold(made.key)}\n${made.id} may ${made.permissions.join(', ')}${whose}; shown this once.`;
    print(options, made, text);
  });
}

export function listKeys(env: NodeJS.ProcessEnv, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const keys = await newest(Number.POSITIVE_INFINITY, (page) => client.listApiKeys(page));
    const names = await agentNames(
      client,
      keys.flatMap(({ agents = [] }) => agents),
    );
    const rows = keys.map(({ id, permissions, tier, lastUsedAt, revokedAt, agents = [], name }) => [
      id,
      permissions.join(','),
      tier,
      lastUsedAt === null ? 'never' : localTime(lastUsedAt),
      revokedAt === undefined ? '' : { text: localTime(revokedAt), paint: colour.red },
      agents.map((did) => names.get(did) ?? did).join(', ') || 'any agent',
      name,
    ]);
    print(options, keys, columns(['KEY', 'MAY', 'TIER', 'LAST USED', 'REVOKED', 'ACTS FOR', 'NAME'], rows));
  });
}

export function revokeKey(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const keys = await newest(Number.POSITIVE_INFINITY, (page) => client.listApiKeys(page));
    const made = keysMadeBy(id, keys);
    const ended = made.filter(({ revokedAt }) => revokedAt === undefined).map((key) => key.id);
    const makers = new Set([id, ...made.map((key) => key.id)]);
    const enrolled = await newest(Number.POSITIVE_INFINITY, (page) => client.listPasskeys(page));
    const passkeys = enrolled.filter(({ madeBy }) => madeBy?.kind === 'key' && makers.has(madeBy.id));
    await client.revokeApiKey({ id });
    const others = [
      ...(ended.length === 0 ? [] : [`${countOf(ended.length, 'key')} that it made`]),
      ...(passkeys.length === 0 ? [] : [`${countOf(passkeys.length, 'passkey')} that came by it`]),
    ];
    const text =
      others.length === 0 ? 'is revoked. It made no other keys.' : `is revoked, and with it ${others.join(' and ')}.`;
    print(options, { id, revoked: true, ended, passkeys: passkeys.map((passkey) => passkey.id) }, `${id} ${text}`);
  });
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
