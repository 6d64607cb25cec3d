/** What a policy allows, one sentence for each rule. */
import type { Rules } from '../../../protocol/policy/rules.ts';
import { sentencesFor } from './ruleSentences.ts';

export function RuleList({ rules }: { readonly rules: Rules }) {
  const sentences = sentencesFor(rules);
  if (sentences.length === 0) return <p>It limits nothing: every purchase is allowed.</p>;
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
