/** What the limits of the draft count now: asked anew once the user pauses. */
import { useEffect, useState } from 'preact/hooks';
import type { Rules as GivenRules } from '../../../../client/operations.ts';
import type { Rules } from '../../../../protocol/policy/rules.ts';
import { node } from '../../../node/node.ts';
import type { LimitCount } from '../policies.ts';

export interface DraftCount {
  readonly counted: readonly LimitCount[];
  /** asked: the answer for what the draft says now is on its way. */
  readonly state: 'asked' | 'known' | 'unknown';
}

const PAUSE_MS = 300;

/** @param rules undefined while something is wrong with the draft @param former undefined where nothing is in force */
export function useCounted(rules: Rules | undefined, former: Rules | undefined): DraftCount {
  const limits = rules?.risk?.limits ?? rules?.risk?.velocity_limit;
  // What a limit counts is a matter of the limits and the policy's currency alone.
  const key = limits === undefined ? '' : JSON.stringify([rules?.risk, rules?.spend?.currency]);
  const [found, setFound] = useState<DraftCount & { readonly key: string }>({ key: '', counted: [], state: 'known' });
  useEffect(() => {
    if (key === '') return;
    const leaving = new AbortController();
    const ask = async () => {
      const input = { next: rules as GivenRules, former: (former ?? { version: '2.0' }) as GivenRules };
      const answer = await node.comparePolicies(input, { signal: leaving.signal }).catch(() => undefined);
      if (leaving.signal.aborted) return;
      setFound({ key, counted: answer?.limits ?? [], state: answer === undefined ? 'unknown' : 'known' });
    };
    const pause = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      leaving.abort();
    };
  }, [key]);
  // While something is wrong, what was counted last is shown.
  if (rules !== undefined && limits === undefined) return { counted: [], state: 'known' };
  return found.key === key || key === '' ? found : { ...found, state: 'asked' };
}
