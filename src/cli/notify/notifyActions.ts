/** What `countersign notify` does with the places that notifications go to. */
import { text as readAll } from 'node:stream/consumers';
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { WrongUse } from '../commandFailure.ts';
import { NOTICE_KINDS } from '../input/closedLists.ts';
import { readTextFile } from '../input/files.ts';
import { type Cell, columns, localTime } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type Input = Operations['addNotifications']['input'];
type Channel = Operations['addNotifications']['output'];

interface UserOptions extends TargetOptions {
  readonly user?: string;
}

interface AddOptions extends UserOptions {
  readonly name?: string;
  readonly about: Input['about'];
  readonly details?: true;
  readonly tokenFile?: string;
  readonly weekday?: number;
  readonly hour?: number;
  readonly timezone?: string;
}

export async function addPlace(env: Env, kind: string, given: string | undefined, options: AddOptions): Promise<void> {
  const address = given ?? (await readAll(process.stdin)).trim();
  const place = placeOf(kind, address, options.tokenFile && readTextFile(options.tokenFile).trim());
  const { name = kind, about, details = false } = options;
  await withTarget(env, options, async ({ client }) => {
    const { weekday, hour, timezone } = options;
    const digest = about.includes('digest') ? { digest: compact({ weekday, hour, timezone }) } : {};
    const input = { ...place, name, about, details, ...digest, ...ofUser(options) } as Input;
    const added = await client.addNotifications(input);
    const next =
      added.silent === 'unconfirmed'
        ? `A code was sent there; give it back: countersign notify confirm ${added.id} CODE`
        : `Try it: countersign notify test ${added.id}`;
    print(options, added, `${colour.bold(added.id)} is told of ${added.about.join(', ')}.\n${next}`);
  });
}

/** What tells one kind from another; the node says what is wrong with an address. */
function placeOf(kind: string, address: string, token: string | undefined): object {
  if (!(NOTICE_KINDS as readonly string[]).includes(kind)) {
    throw new WrongUse(`"${kind}" is not one of ${NOTICE_KINDS.join(', ')}.`);
  }
  if (address === '') throw new WrongUse('An address is needed, as an argument or on standard input.');
  if (kind === 'email') return { kind, address };
  if (kind !== 'telegram') return compact({ kind, url: address, token });
  if (token === undefined)
    throw new WrongUse('Telegram needs the token of a bot, in the file that --token-file names.');
  return { kind, chatId: address, token };
}

export function confirmPlace(env: Env, id: string, code: string, options: UserOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const place = await client.confirmNotifications({ id, code, ...ofUser(options) });
    print(options, place, `${id} is confirmed: notifications go there.`);
  });
}

export function listPlaces(env: Env, options: UserOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const { places } = await client.showNotifications(ofUser(options));
    const rows = places.map((place): Cell[] => {
      const { id, kind, name, url, about } = place;
      return [id, kind, standing(place), name, url, about.join(',')];
    });
    print(options, places, columns(['PLACE', 'KIND', 'STATE', 'NAME', 'ADDRESS', 'ABOUT'], rows));
  });
}

function standing({ silent, failingSince }: Channel): Cell {
  if (silent === 'unconfirmed') return { text: 'unconfirmed', paint: colour.yellow };
  if (silent === 'ended') return { text: 'refused by its service', paint: colour.red };
  if (failingSince === undefined) return 'ok';
  return { text: `failing since ${localTime(failingSince)}`, paint: colour.red };
}

export function testPlace(env: Env, id: string, options: UserOptions): Promise<void> {
  return withTarget(
    env,
    options,
    async ({ client }) => {
      const { outcome, status, error, duration, ...log } = await client.tryNotifications({ id, ...ofUser(options) });
      const isThere = outcome === 'delivered';
      const result = isThere ? colour.green('It arrived') : colour.red(`It failed (${error ?? status})`);
      const answered = status === 0 ? '' : `, answered by ${status}`;
      print(options, { ...log, outcome, status, error, duration }, `${result}${answered} in ${duration} ms.`);
      if (!isThere) process.exitCode = 1;
    },
    { runningNode: 'Only a running node sends.' },
  );
}

export function removePlace(env: Env, id: string, options: UserOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeNotifications({ id, ...ofUser(options) });
    print(options, { id, removed: true }, `No more notifications go to ${id}.`);
  });
}

function ofUser({ user }: UserOptions): { readonly userId?: string } {
  return user === undefined ? {} : { userId: user };
}
