/** What a policy allows, one sentence for each rule. */
import type { RuleSentence } from '../../proofs/ruleSentences.ts';

export function RuleList({ sentences }: { readonly sentences: readonly RuleSentence[] }) {
  if (sentences.length === 0) return <p>No rule is set: every purchase is allowed.</p>;
  return (
    <ul class="rule-list">
      {sentences.map(({ path, sentence }) => (
        <li key={path}>
          <bdi>{sentence}</bdi>
        </li>
      ))}
    </ul>
  );
}
