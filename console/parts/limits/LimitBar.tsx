/** How much of a limit is used: in words, and by a bar whose color is no more than the words say. */
import type { LimitMeasure } from './measures.ts';

const WORDS = { free: '', near: 'nearly used up', full: 'used up' } as const;

export function LimitBar({ measured: { text, share, state } }: { readonly measured: LimitMeasure }) {
  return (
    <span class={`limit ${state}`}>
      <span class="limit-text">
        {/* With the name that its owner gave it. */}
        <bdi>{text}</bdi>
        {state !== 'free' && <strong>{WORDS[state]}</strong>}
      </span>
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
    </span>
  );
}
