/** Something whose code is loaded when it is first shown. The screen before stays until it is there. */
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../parts/Skeleton.tsx';
import { Trouble } from '../parts/Trouble.tsx';

interface LazyProps<Props extends object> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
  /** Where nothing holds its place meanwhile. */
  readonly bare?: boolean;
}

interface LazyState<Props> {
  readonly load: unknown;
  readonly component?: ComponentType<Props>;
  readonly props: Props;
  readonly error?: unknown;
}

export function Lazy<Props extends object>({ load, props, bare = false }: LazyProps<Props>) {
  const [loaded, setLoaded] = useState<LazyState<Props>>({ load: undefined, props });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (component) => isCurrent && setLoaded({ load, component, props }),
      (error: unknown) => isCurrent && setLoaded({ load, props, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, attempt]);
  if (loaded.error !== undefined) return <Trouble error={loaded.error} again={() => setAttempt(attempt + 1)} />;
  if (loaded.component === undefined) return bare ? null : <Skeleton rows={4} />;
  const Component = loaded.component as FunctionComponent<Props>;
  // What is still shown of the place before keeps what it was given there.
  return <Component {...(loaded.load === load ? props : loaded.props)} />;
}
