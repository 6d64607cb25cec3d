/** Who did something at the node, and who made the links by which passkeys were enrolled. */
import type { ComponentChildren } from 'preact';
import type { Passkey } from '../../../client/operations.ts';
import { each } from '../../../client/records.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { userNames } from '../../node/userNames.ts';

type PasskeyOrigin = Pick<Passkey, 'madeBy'>;
type Maker = NonNullable<PasskeyOrigin['madeBy']>;

/** @param isAsked whether there is one to be named @returns names one, where the user may look that up */
export function useActors(isAsked: boolean): (maker: Maker) => ComponentChildren {
  const mayLook = isAsked && may('admin');
  const load = async (signal: AbortSignal) => {
    if (!mayLook) return undefined;
    const names = new Map(await userNames(signal));
    for await (const { id, name } of each(node.listApiKeys, { limit: 200 }, { signal })) names.set(id, `“${name}”`);
    return names;
  };
  const { value: names } = useLoaded(`makers ${mayLook}`, load, ['key', 'user']);
  return ({ kind, id }) => {
    const name = names?.get(id);
    const of = {
      key: name === undefined ? 'an API key' : 'the API key',
      user: name === undefined && 'a user',
      node: 'the node',
    };
    return (
      <>
        {of[kind]} <bdi>{name}</bdi>
      </>
    );
  };
}

/** @returns says it of a passkey; nothing where no link is known */
export function useMakers(passkeys: readonly PasskeyOrigin[]): (passkey: PasskeyOrigin) => ComponentChildren {
  const named = useActors(passkeys.some(({ madeBy }) => madeBy !== undefined));
  return ({ madeBy }) => (madeBy === undefined ? null : <>, made by {named(madeBy)}</>);
}
