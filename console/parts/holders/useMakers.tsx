/** Who made the links by which passkeys were enrolled. */
import type { ComponentChildren } from 'preact';
import type { Passkey } from '../../../client/operations.ts';
import { each } from '../../../client/records.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { userNames } from '../../node/userNames.ts';

type PasskeyOrigin = Pick<Passkey, 'madeBy'>;

/** @returns says it of a passkey, by name where the user may look that up; nothing where no link is known */
export function useMakers(passkeys: readonly PasskeyOrigin[]): (passkey: PasskeyOrigin) => ComponentChildren {
  const isAsked = may('admin') && passkeys.some(({ madeBy }) => madeBy !== undefined);
  const load = async (signal: AbortSignal) => {
    if (!isAsked) return undefined;
    const names = new Map(await userNames(signal));
    for await (const { id, name } of each(node.listApiKeys, { limit: 200 }, { signal })) names.set(id, `“${name}”`);
    return names;
  };
  const { value: names } = useLoaded(`makers ${isAsked}`, load, ['key', 'user']);
  return ({ madeBy }) => {
    if (madeBy === undefined) return null;
    const name = names?.get(madeBy.id);
    const of = {
      key: name === undefined ? 'an API key' : 'the API key',
      user: name === undefined && 'a user',
      node: 'the node',
    };
    return (
      <>
        , made by {of[madeBy.kind]} <bdi>{name}</bdi>
      </>
    );
  };
}
