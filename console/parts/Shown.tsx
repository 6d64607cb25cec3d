/** The four states of what is loaded: on its way, failed, empty, and full. */
import type { ComponentChildren } from 'preact';
import type { LoadState } from '../node/useLoaded.ts';
import { Skeleton } from './Skeleton.tsx';
import { Trouble } from './Trouble.tsx';

interface ShownProps<Value> {
  readonly of: LoadState<Value>;
  /** Rows of the skeleton, and their height in rem. */
  readonly rows?: number;
  readonly height?: number;
  readonly children: (value: Value) => ComponentChildren;
}

export function Shown<Value>({ of: { value, error, reload }, rows = 3, height = 3.5, children }: ShownProps<Value>) {
  if (value === undefined) {
    return error === undefined ? <Skeleton rows={rows} height={height} /> : <Trouble error={error} again={reload} />;
  }
  return (
    <>
      {error !== undefined && <p class="note">This may be out of date: it could not be reloaded.</p>}
      {children(value)}
    </>
  );
}
