/** A merchant by its domain, which breaks after its dots where it alone is longer than a line. */
import { Fragment } from 'preact';

export function Domain({ name }: { readonly name: string }) {
  return (
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
  );
}
