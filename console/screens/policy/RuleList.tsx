/** What a policy says, one sentence for each rule, by groups; of each budget what is used now, and the way to change it. */
import { may } from '../../login/may.ts';
import type { RuleSentence } from '../../proofs/ruleSentences.ts';
import { hrefOf } from '../../shell/places.ts';
import { BudgetBar } from './BudgetBar.tsx';
import type { LimitCount } from './policies.ts';
import { groupsOf } from './ruleGroups.ts';

interface RuleListProps {
  readonly sentences: readonly RuleSentence[];
  /** What its limits count now, where it is in force. */
  readonly counted?: readonly LimitCount[] | undefined;
}

export function RuleList({ sentences, counted }: RuleListProps) {
  if (sentences.length === 0) return <p>No rule is set: every purchase is allowed.</p>;
  // A version is what its whole screen is about, so that its card has the first heading.
  const Heading = counted === undefined ? 'h2' : 'h3';
  return (
    <>
      {groupsOf(sentences, ({ path }) => path).map(({ name, rules }) => (
        <section key={name} aria-label={name}>
          <Heading class="rule-group">{name}</Heading>
          <ul class="rule-list">
            {rules.map((rule) => (
              <li key={rule.path + rule.sentence}>
                {counted !== undefined && <EditLink rule={rule} />}
                <bdi>{rule.sentence}</bdi>
                <BudgetBar name={rule.name} counted={counted} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** From a budget to its sentence in a draft. */
function EditLink({ rule: { path, sentence, name: limit } }: { readonly rule: RuleSentence }) {
  if (limit === undefined || !may('admin')) return null;
  return (
    <a class="edit" href={hrefOf('/policy/draft', { rule: path, limit })}>
      Edit<span class="unseen">: {sentence}</span>
    </a>
  );
}
