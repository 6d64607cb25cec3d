/** A merchant by its domain, which breaks after its dots where a line is too short for it. */
import { Fragment } from 'preact';

export function Domain({ name }: { readonly name: string }) {
  return (
    <bdi>
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
