/** What the rules do with each call of a tool, in words and in one word. Pure. */
import type { GuardConfig, ToolRule } from './guardConfig.ts';
import { isReadOnly, matches, moneyMembers, type UpstreamTool } from './readCall.ts';

interface ToolTreatment {
  readonly text: string;
  /** Whether a person has to look. */
  readonly isOpen: boolean;
  /** Of several rules that may hold, the strongest. */
  readonly action: 'ask' | 'forward' | 'refuse' | 'reserve';
}

/** What the rules do with the calls of one tool. @param unmatched what is done where no rule holds */
export function treatmentOf(
  tool: UpstreamTool,
  rules: readonly ToolRule[],
  unmatched: GuardConfig['unmatched'],
): ToolTreatment {
  const matching = rules.filter((rule) => matches(rule, tool.name));
  // After one that holds for every call no other is asked.
  const last = matching.findIndex(({ when }) => when === undefined);
  const asked = last === -1 ? matching : matching.slice(0, last + 1);
  const parts = asked.map(ruleText);
  const actions = asked.map(({ action }) => (action === 'guard' ? 'reserve' : action));
  if (last !== -1) return { text: parts.join('; else '), isOpen: false, action: strongest(actions) };
  const rest = unmatchedText(tool, unmatched);
  return {
    text: [...parts, rest.text].join('; else '),
    isOpen: rest.isOpen,
    action: strongest([...actions, rest.action]),
  };
}

/** Of several rules the one that says most of what a tool can do. */
function strongest(actions: readonly ToolTreatment['action'][]): ToolTreatment['action'] {
  return (['reserve', 'ask', 'forward', 'refuse'] as const).find((action) => actions.includes(action)) ?? 'refuse';
}

function unmatchedText(tool: UpstreamTool, unmatched: GuardConfig['unmatched']): ToolTreatment {
  const reads = isReadOnly(tool);
  const action = reads ? unmatched.read_only : unmatched.other;
  const members = moneyMembers(tool);
  const money = members.length === 0 ? '' : `, though it names ${members.join(', ')}`;
  if (reads) return { text: `${ACTION[action]} as read-only`, isOpen: false, action };
  const claims = tool.annotations?.readOnlyHint === true ? ' (it calls itself read-only)' : '';
  const text = `${ACTION[action]}: no rule says what it may spend${money}${claims}`;
  return { text, isOpen: money !== '' || (action !== 'refuse' && tool.annotations === undefined), action };
}

const ACTION = { forward: 'forwarded', refuse: 'refused', ask: 'asks the person' } as const;

function ruleText(rule: ToolRule): string {
  const when = Object.entries(rule.when ?? {}).map(([path, value]) => {
    const values = [value].flat();
    return `${path} is ${values.length > 3 ? `one of ${values.length} names` : values.join(' or ')}`;
  });
  const where = when.length === 0 ? '' : ` where ${when.join(' and ')}`;
  if (rule.action !== 'guard') return `${ACTION[rule.action]} by a rule${where}`;
  const what =
    rule.completes === undefined
      ? `amount from ${amountText(rule)}`
      : `what was reserved for the order at ${rule.completes}`;
  return `guarded${where}: ${what}`;
}

function amountText({ amount, unit, currency }: ToolRule): string {
  const terms = [amount].flat().map((term) => {
    if (typeof term !== 'object') return String(term);
    const { each, price, quantity, percent, minus } = term;
    const product = [`${each ?? ''}${each === undefined ? price : price.slice(1)}`, quantity, percent && `${percent} %`]
      .filter(Boolean)
      .join(' × ');
    return minus === true ? `− ${product}` : product;
  });
  return `${terms.join(' + ').replaceAll('+ −', '−')} (${unit} units, ${currency})`;
}
