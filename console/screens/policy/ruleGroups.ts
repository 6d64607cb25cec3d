/** The groups in which people read and write the rules of a policy. */

const GROUPS: readonly (readonly [name: string, paths: RegExp])[] = [
  ['One purchase', /^spend\.(?!categories)|^risk\.(duplicate|anomaly)/],
  ['Budgets', /^risk\./],
  ['Where and when', /^merchant\.|^spend\.|\.(geo|time_windows)/],
  ['Who approves', /^context\./],
  ['Payment', /./],
];

interface RuleGroup<Rule> {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** @returns the groups that have rules, in their order */
export function groupsOf<Rule>(rules: readonly Rule[], pathOf: (rule: Rule) => string): readonly RuleGroup<Rule>[] {
  const of = (path: string) => GROUPS.find(([, paths]) => paths.test(path))?.[0];
  return GROUPS.map(([name]) => ({ name, rules: rules.filter((rule) => of(pathOf(rule)) === name) })).filter(
    (group) => group.rules.length > 0,
  );
}
