/** A row of the picture of a limit: when, whose purchases, and what is to be said of them. */
import type { ComponentChildren } from 'preact';

interface LimitRowProps {
  /** Such as "Now" or "Last month". */
  readonly when: string;
  readonly who?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function LimitRow({ when, who, children }: LimitRowProps) {
  return (
    <div class="limit-row">
      <p class="quiet">
        <span class="limit-when">{when}</span>
        {who !== undefined && <span class="limit-who">{who}</span>}
      </p>
      <div>{children}</div>
    </div>
  );
}
