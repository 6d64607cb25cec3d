/** What a version changes of another one: the policy's own sentences, and whether that lets more through. */
import type { ChangedSentences } from '../../proofs/ruleSentences.ts';

const DIRECTIONS: Readonly<
  Record<ChangedSentences['direction'], readonly [shape: string, word: string, tone: string]>
> = {
  looser: ['▲', 'Looser', 'note'],
  tighter: ['▼', 'Tighter', 'good'],
  other: ['●', 'Neither', 'over'],
};

export function Changes({ changes }: { readonly changes: readonly ChangedSentences[] }) {
  if (changes.length === 0) return <p class="quiet">No rule changes.</p>;
  return (
    <ul class="changes">
      {changes.map(({ path, direction, former, next }) => (
        <li key={path} class="change">
          <Direction of={direction} />
          <div>
            {former.map((sentence) => (
              <del key={sentence} class="clamped">
                <span class="unseen">No longer: </span>
                <bdi>{sentence}</bdi>
              </del>
            ))}
            {next.map((sentence) => (
              <ins key={sentence} class="clamped">
                <bdi>{sentence}</bdi>
              </ins>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Direction({ of }: { readonly of: ChangedSentences['direction'] }) {
  const [shape, word, tone] = DIRECTIONS[of];
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}
