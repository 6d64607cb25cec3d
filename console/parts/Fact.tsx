/** One fact with its name, in a list of them (`dl` of class `facts`). */
import type { ComponentChildren } from 'preact';

export function Fact({ name, children }: { readonly name: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
