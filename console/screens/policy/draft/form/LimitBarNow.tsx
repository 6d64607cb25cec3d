/** What is used now of a limit of the draft: as far as the node counts the same purchases already. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LimitBar } from '../../../../parts/limits/LimitBar.tsx';
import { measuresOf, VELOCITY_LIMIT } from '../../../../parts/limits/measures.ts';
import { AgentName } from '../../../../parts/values/AgentName.tsx';
import { limitNow, type UsedNow } from './limitNow.ts';

/** Undefined where it could not be loaded. */
export const Used = createContext<UsedNow | undefined>(undefined);

interface LimitBarNowProps {
  /** `risk.limits` or `risk.velocity_limit`. */
  readonly path: string;
  /** The limit as the draft says it. */
  readonly value: unknown;
}

export function LimitBarNow({ path, value }: LimitBarNowProps) {
  const used = useContext(Used);
  if (used === undefined || value === undefined) return null;
  const found = limitNow(used, path, value);
  if (found === undefined) return <span class="limit-now quiet">Not counted yet.</span>;
  if (found === 'principal') return <span class="limit-now quiet">Counted for each principal: see its page.</span>;
  const { counted, agentDid } = found;
  return (
    <span class="limit-now">
      {agentDid !== undefined && (
        <span class="quiet">
          Now, most used by <AgentName did={agentDid} />
        </span>
      )}
      {/* Its name stands above. */}
      {measuresOf([{ ...counted, name: VELOCITY_LIMIT }]).map((measured) => (
        <LimitBar key={measured.text} measured={measured} />
      ))}
    </span>
  );
}
