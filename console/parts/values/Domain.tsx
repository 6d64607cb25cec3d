/** A merchant by its domain, which breaks after its dots where it alone is longer than a line; beside it how it is read. */
import { Fragment } from 'preact';
import { readableDomain } from '../../../protocol/policy/values/readableDomain.ts';

interface DomainProps {
  readonly name: string;
  /** Where a person decides: a letter with a mark is easily taken for one without, so that the technical form stands alone. */
  readonly isAsked?: boolean;
}

export function Domain({ name, isAsked = false }: DomainProps) {
  const readable = isAsked ? undefined : readableDomain(name);
  return (
    <>
      <bdi class="domain">
        {name.split('.').map((label, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <>
                .<wbr />
              </>
            )}
            {label}
          </Fragment>
        ))}
      </bdi>
      {readable !== undefined && (
        <>
          {' '}
          <bdi class="quiet domain">({readable})</bdi>
        </>
      )}
    </>
  );
}
