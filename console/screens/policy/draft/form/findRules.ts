/** The rules of a policy as a form offers them, and those that a search finds. */
import type { FormField } from '../../../../proofs/formFields.ts';
import { groupsOf } from '../../ruleGroups.ts';

export interface RuleField {
  readonly field: FormField;
  /** What the group is called that the rule is in. */
  readonly group: string;
}

export function rulesOf(fields: readonly FormField[]): readonly RuleField[] {
  const rules = fields.flatMap((each) => (each.kind === 'group' ? each.fields : []));
  return groupsOf(rules, ({ path }) => path).flatMap(({ name, rules: own }) =>
    own.map((field) => ({ field, group: name })),
  );
}

/** @param text words that each must be in what a rule, its parts or its group is called, or in what it is for */
export function findRules(rules: readonly RuleField[], text: string): readonly RuleField[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter(({ field, group }) => {
    const said = `${group} ${textsOf(field)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** What a rule is for; of one that only its parts explain, their names. */
export function aboutOf(field: FormField): string {
  if (field.about !== undefined) return field.about;
  const parts = 'fields' in field ? field.fields : [];
  return parts.map(({ label }) => label).join(', ');
}

function textsOf(field: FormField): string {
  const parts = 'fields' in field ? field.fields.map(textsOf) : [];
  const options = 'options' in field ? field.options : [];
  return [field.path, field.label, field.about ?? '', ...options, ...parts].join(' ');
}
