/** What `countersign user` does with people at a node. */
import { renderUnicodeCompact } from 'uqr';
import { compact } from '../../../protocol/wire/compact.ts';
import type { Role } from '../../access/role.ts';
import { passkeyTrouble } from '../../presence/relyingParty.ts';
import { colour } from '../output/colour.ts';
import { columns, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface InviteOptions extends TargetOptions {
  readonly role?: Exclude<Role, 'PENDING'>;
  readonly name?: string;
  readonly user?: string;
}

export function inviteUser(env: NodeJS.ProcessEnv, options: InviteOptions): Promise<void> {
  const { role, name, user: userId } = options;
  return withTarget(env, options, async ({ client }) => {
    const made = await client.createInvitation(compact({ role, name, userId }));
    const trouble = passkeyTrouble(new URL(made.url).origin);
    const text = [
      renderUnicodeCompact(made.url, { border: 2 }),
      '',
      colour.bold(made.url),
      `Works once, until ${made.expiresAt}. Whoever opens it becomes ${made.role}: treat it as a password.`,
      ...(trouble === undefined ? [] : ['', colour.yellow(trouble)]),
    ];
    print(options, made, text.join('\n'));
  });
}

export function listUsers(env: NodeJS.ProcessEnv, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const users = await newest(Number.POSITIVE_INFINITY, (page) => client.listUsers(page));
    const rows = users.map(({ id, role, name, email, lastLoginAt, removedAt }) => [
      id,
      removedAt === undefined ? role : { text: 'removed', paint: colour.red },
      localTime(lastLoginAt),
      name ?? email ?? '',
    ]);
    print(options, users, columns(['USER', 'ROLE', 'LAST LOGIN', 'NAME'], rows));
  });
}
