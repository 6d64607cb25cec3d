/** What `countersign user` does with people at a node. */
import { renderUnicodeCompact } from 'uqr';
import { compact } from '../../../protocol/wire/compact.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import type { Role } from '../../access/role.ts';
import { WrongUse } from '../commandFailure.ts';
import { columns, localTime } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

interface InviteOptions extends TargetOptions {
  readonly role?: Exclude<Role, 'PENDING'>;
  readonly name?: string;
  readonly user?: string;
  readonly mail?: string;
}

export function inviteUser(env: NodeJS.ProcessEnv, options: InviteOptions): Promise<void> {
  const { role, name, user: userId, mail } = options;
  if (mail !== undefined) return mailInvitation(env, options, mail);
  return withTarget(env, options, async ({ client }) => {
    const made = await client.createInvitation(compact({ role, name, userId }));
    const trouble = passkeyTrouble(new URL(made.url).origin);
    const text = [
      renderUnicodeCompact(made.url, { border: 2 }),
      '',
      colour.bold(made.url),
      `Works once, until ${made.expiresAt}. The person who opens it becomes ${made.role}: treat it as a password.`,
      ...(trouble === undefined ? [] : ['', colour.yellow(trouble)]),
    ];
    print(options, made, text.join('\n'));
  });
}

function mailInvitation(env: NodeJS.ProcessEnv, options: InviteOptions, mail: string): Promise<void> {
  const { role, name, user } = options;
  if (user !== undefined) throw new WrongUse('A link for a user who is there is not mailed: leave --mail out.');
  const send = async ({ client }: Target) => {
    const made = await client.mailInvitation({ mail, ...compact({ role, name }) });
    print(options, made, `Sent to ${inertText(mail)}. The link works once, until ${made.expiresAt}.`);
  };
  return withTarget(env, options, send, { runningNode: 'Only a running node sends mail.' });
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

interface RemoveOptions {
  readonly suspendAgents?: boolean;
  readonly json?: boolean;
}

/** No key removes people, so it is done on the data folder, even where a node's address is set. */
export function removeUser(env: NodeJS.ProcessEnv, id: string, options: RemoveOptions): Promise<void> {
  const { COUNTERSIGN_URL: _url, ...local } = env;
  const suspends = options.suspendAgents === true;
  return withTarget(local, {}, async ({ client }) => {
    const agents = await newest(Number.POSITIVE_INFINITY, (page) => client.listAgents(page));
    const owned = agents.filter(({ ownerUserId, status }) => ownerUserId === id && status === 'ACTIVE');
    await client.removeUser({ id, suspendAgents: suspends ? 'true' : 'false' });
    const names = owned.map(({ displayName, did }) => `  ${did}  ${inertText(displayName)}`);
    const count = owned.length === 1 ? 'The agent' : `The ${owned.length} agents`;
    const rest = suspends
      ? [`${count} of this person ${owned.length === 1 ? 'is' : 'are'} suspended:`, ...names]
      : [`${count} of this person can still buy; "countersign agent suspend DID" ends that:`, ...names];
    const text = [`${id} is out, with their logins, keys and links.`, ...(owned.length === 0 ? [] : rest)];
    print(options, { id, removed: true, agents: owned.map(({ did }) => did), suspended: suspends }, text.join('\n'));
  });
}
