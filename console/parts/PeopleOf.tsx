/** Where the policy asks several people to approve: how many have, and who. */
import type { Approval } from '../../client/operations.ts';
import { When } from './values/When.tsx';

/** Who was told since, as those who were asked first have not decided. */
export function EscalatedTo({ to }: { readonly to: Approval['escalatedTo'] | undefined }) {
  if (to === undefined) return null;
  return (
    <p class="quiet">
      Not decided in time, so told to{' '}
      {to.map(({ userId, name = userId, at }, index) => (
        <span key={userId}>
          {index > 0 && ', '}
          <bdi>{name}</bdi> <When time={at} inLink />
        </span>
      ))}
    </p>
  );
}

export function PeopleOf({ people }: { readonly people: Approval['people'] | undefined }) {
  if (people === undefined) return null;
  const { needed, approved } = people;
  return (
    <p>
      <strong>
        {approved.length} of {needed}
      </strong>{' '}
      {needed === 1 ? 'person has' : 'people have'} approved
      {approved.map(({ by, name }, index) => (
        <span key={by}>
          {index === 0 ? ': ' : ', '}
          <bdi>{name ?? 'a person without a name'}</bdi>
        </span>
      ))}
    </p>
  );
}
