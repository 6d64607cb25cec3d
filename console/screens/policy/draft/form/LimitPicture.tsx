/** A limit of the draft as a picture: what is used of it now, what was asked for before, and what it would have stopped. */
import { memberAt } from './fieldText.ts';
import { LimitBarNow } from './LimitBarNow.tsx';
import { LimitReplayed } from './LimitReplayed.tsx';
import type { Steps } from './SingleField.tsx';

interface LimitPictureProps {
  /** `risk.limits` or `risk.velocity_limit`. */
  readonly path: string;
  /** Where the limit is in the draft. */
  readonly steps: Steps;
  /** The draft. */
  readonly json: unknown;
}

export function LimitPicture({ path, steps, json }: LimitPictureProps) {
  const value = memberAt(json, steps);
  const currency = memberAt(json, ['spend', 'currency']);
  return (
    <div class="limit-picture">
      <LimitBarNow path={path} value={value} />
      <LimitReplayed path={path} value={value} currency={typeof currency === 'string' ? currency : undefined} />
    </div>
  );
}
