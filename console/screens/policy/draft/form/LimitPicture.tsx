/** A limit of the draft as a picture: what is used of it now, what was asked for before, and what it would have stopped. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { VELOCITY_LIMIT } from '../../../../parts/limits/measures.ts';
import { BudgetBar } from '../../BudgetBar.tsx';
import type { LimitCount } from '../../policies.ts';
import { memberAt } from './fieldText.ts';
import { LimitReplayed } from './LimitReplayed.tsx';
import { LimitRow } from './LimitRow.tsx';
import type { Steps } from './SingleField.tsx';

/** What the limits of the draft count now. */
export const Counted = createContext<readonly LimitCount[]>([]);

interface LimitPictureProps {
  /** `risk.limits` or `risk.velocity_limit`. */
  readonly path: string;
  /** Where the limit is in the draft. */
  readonly steps: Steps;
  /** The draft. */
  readonly json: unknown;
}

export function LimitPicture({ path, steps, json }: LimitPictureProps) {
  const counted = useContext(Counted);
  const value = memberAt(json, steps);
  const currency = memberAt(json, ['spend', 'currency']);
  const name = path === 'risk.velocity_limit' ? VELOCITY_LIMIT : memberAt(value, ['name']);
  return (
    <div class="limit-picture">
      {counted.some((each) => each.name === name) && (
        <LimitRow when="Now">
          <BudgetBar name={String(name)} counted={counted} />
        </LimitRow>
      )}
      <LimitReplayed path={path} value={value} currency={typeof currency === 'string' ? currency : undefined} />
    </div>
  );
}
