/** What a version changes of another one, rule by rule, and whether that lets more through. */
import type { RuleChange } from '../../../protocol/policy/compareRules.ts';

const DIRECTIONS: Readonly<Record<RuleChange['direction'], readonly [shape: string, word: string, tone: string]>> = {
  looser: ['▲', 'Looser', 'note'],
  tighter: ['▼', 'Tighter', 'good'],
  other: ['●', 'Neither', 'over'],
};

export function Changes({ changes }: { readonly changes: readonly RuleChange[] }) {
  if (changes.length === 0) return <p class="quiet">No rule changes.</p>;
  return (
    <ul class="changes">
      {changes.map(({ path, direction, sentence }) => (
        <li key={path} class="change">
          <Direction of={direction} />
          <bdi class="clamped">{sentence}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Direction({ of }: { readonly of: RuleChange['direction'] }) {
  const [shape, word, tone] = DIRECTIONS[of];
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}
