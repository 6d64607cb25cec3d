/** What is used now of a limit of the draft: as far as the node counts the same purchases already. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LimitBar } from '../../../../parts/limits/LimitBar.tsx';
import { measuresOf, VELOCITY_LIMIT } from '../../../../parts/limits/measures.ts';
import { AgentName } from '../../../../parts/values/AgentName.tsx';
import { LimitRow } from './LimitRow.tsx';
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
  if (found === undefined) return <LimitRow when="Now">Not counted yet.</LimitRow>;
  if (found === 'principal') return <LimitRow when="Now">Counted for each principal: see its page.</LimitRow>;
  const { counted, agentDid } = found;
  const who = agentDid !== undefined && (
    <>
      most used by <AgentName did={agentDid} />
    </>
  );
  return (
    <LimitRow when="Now" who={who}>
      {/* Its name stands above. */}
      {measuresOf([{ ...counted, name: VELOCITY_LIMIT }]).map((measured) => (
        <LimitBar key={measured.text} measured={measured} />
      ))}
    </LimitRow>
  );
}
