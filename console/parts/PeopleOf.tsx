/** Where the policy asks several people to approve: how many have, and who. */
import type { Approval } from '../../client/operations.ts';

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
          <bdi>{name ?? by}</bdi>
        </span>
      ))}
    </p>
  );
}
