/** What a replay says of a limit of the draft: what was asked for in its last period, and what it would have stopped. */
import { useContext } from 'preact/hooks';
import { HolderName } from '../../../../parts/holders/HolderName.tsx';
import { usePrincipals } from '../../../../parts/holders/usePrincipals.ts';
import { VELOCITY_LIMIT } from '../../../../parts/limits/measures.ts';
import { AgentName } from '../../../../parts/values/AgentName.tsx';
import { dayText } from '../../../../parts/values/moment.ts';
import { Replaying } from '../tools/useReplay.ts';
import {
  type AskedMeasure,
  askedMeasures,
  type DraftMaxima,
  periodName,
  type ReplayedLimit,
  stoppedText,
  sumText,
} from './askedText.ts';
import { LimitRow } from './LimitRow.tsx';

interface LimitReplayedProps {
  /** `risk.limits` or `risk.velocity_limit`. */
  readonly path: string;
  /** The limit as the draft says it. */
  readonly value: unknown;
  /** Of the policy. */
  readonly currency: string | undefined;
}

export function LimitReplayed({ path, value, currency }: LimitReplayedProps) {
  const result = useContext(Replaying)?.done?.result;
  if (result === undefined || result.requests === 0 || typeof value !== 'object' || value === null) return null;
  const { name, max_amount, max_transactions, currency: own = currency } = value as Readonly<Record<string, unknown>>;
  const found = result.limits.find((limit) => limit.name === (path === 'risk.velocity_limit' ? VELOCITY_LIMIT : name));
  if (found === undefined) return null;
  const maxima = { maxAmount: numberIn(max_amount), maxTransactions: numberIn(max_transactions), currency: own };
  return (
    <>
      <Asked of={found} maxima={maxima as DraftMaxima} />
      <LimitRow when={`Since ${dayText(new Date(result.since))}`} who="with this draft">
        {stoppedText(found)}
      </LimitRow>
    </>
  );
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function Asked({ of: { asked, window }, maxima }: { readonly of: ReplayedLimit; readonly maxima: DraftMaxima }) {
  const when = periodName(window);
  if (asked === undefined) return <LimitRow when={when}>More was asked than one comparison reads.</LimitRow>;
  if (asked.requests === 0) return <LimitRow when={when}>Nothing was asked for.</LimitRow>;
  const measures = askedMeasures(asked, maxima);
  return (
    <LimitRow when={when} who={whoAsked(asked)}>
      {measures.map((measure) => (
        <AskedBar key={measure.text} measure={measure} />
      ))}
      {measures.length === 0 && sumText(asked)}
    </LimitRow>
  );
}

function whoAsked({ agentDid, principalDid }: NonNullable<ReplayedLimit['asked']>) {
  if (agentDid !== undefined) {
    return (
      <>
        most by <AgentName did={agentDid} />
      </>
    );
  }
  if (principalDid === undefined) return undefined;
  return (
    <>
      most for <PrincipalName did={principalDid} />
    </>
  );
}

function PrincipalName({ did }: { readonly did: string }) {
  const { nameOf } = usePrincipals();
  return <HolderName of={{ principalDid: did }} principal={nameOf(did)} />;
}

/** What was asked for as a bar with the limit in it; what is beyond the limit looks other than what is not. */
function AskedBar({ measure: { text, within, over } }: { readonly measure: AskedMeasure }) {
  return (
    <span class="limit">
      <span class="limit-text">{text}</span>
      <span class="bar asked" aria-hidden="true">
        <span style={{ width: `${100 * within}%` }} />
        {over > 0 && <span class="over" style={{ width: `${100 * over}%` }} />}
      </span>
    </span>
  );
}
