/** Whose money it is, for who may know that; nothing where that one is not registered. */
import { Fact } from '../Fact.tsx';
import { usePrincipals } from './usePrincipals.ts';

export function WhoseMoney({ did }: { readonly did: string }) {
  const name = usePrincipals().nameOf(did);
  if (name === undefined) return null;
  return (
    <Fact name="Whose money">
      <a class="inline-link" href={`#/principals/${encodeURIComponent(did)}`}>
        <bdi>{name}</bdi>
      </a>
    </Fact>
  );
}
