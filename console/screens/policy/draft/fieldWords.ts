/** What the fields of a policy's form are called, and what each rule says. */
import type { Rules } from '../../../../protocol/policy/rules.ts';
import { wordsOf } from '../../../parts/values/codeText.ts';
import { sentencesFor } from '../ruleSentences.ts';

interface Words {
  readonly label: string;
  readonly about?: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  spend: { label: 'How much' },
  'spend.amount_cap': {
    label: 'The most for one purchase',
    about: 'One purchase may cost so much at most; 0 allows nothing.',
  },
  'spend.presence_cap': {
    label: 'The most with a person',
    about: 'With a person’s approval one purchase may cost so much. What lies above the other cap then asks a person.',
  },
  'spend.currency': { label: 'Currency', about: 'Only this one may be spent (ISO 4217). Without it, each may be.' },
  'spend.categories': { label: 'Categories', about: 'Only what is in these may be bought.' },
  'spend.categories_strict': {
    label: 'Refuse unknown categories',
    about: 'Whether a purchase is refused whose category nobody knows.',
  },
  merchant: { label: 'Where' },
  'merchant.allow_list': {
    label: 'Merchants that are allowed',
    about: 'Only these, one in each line; *.shop.example stands for the subdomains.',
  },
  'merchant.deny_list': {
    label: 'Merchants that are denied',
    about: 'None of these, with their subdomains; one in each line.',
  },
  'merchant.mcc_allow': {
    label: 'Category codes that are allowed',
    about: 'Only these merchant category codes (ISO 18245), one in each line.',
  },
  'merchant.mcc_deny': { label: 'Category codes that are denied', about: 'None of these, one in each line.' },
  context: { label: 'When, and with whom' },
  'context.presence': {
    label: 'A person',
    about: 'Optional: where another rule asks. Required: at every purchase. Never: what would need one is refused.',
  },
  'context.presence_threshold': {
    label: 'A person above an amount',
    about: 'A person approves what costs more; with 0, every purchase.',
  },
  'context.presence_new_merchant': {
    label: 'A person at a new merchant',
    about: 'Whether a person approves the first payment of an agent to a merchant.',
  },
  'context.presence_binding': {
    label: 'What an approval is for',
    about: 'Cart: for that cart alone. Any: a recent proof that the person was there serves, too.',
  },
  'context.deny_by_link': {
    label: 'Deny by link',
    about: 'Whether whoever has the link of an approval may deny it without a passkey.',
  },
  'context.time_windows': { label: 'Times', about: 'Agents may buy within these times only.' },
  'context.time_windows.days': { label: 'Days', about: 'Every day where none is chosen.' },
  'context.time_windows.from': { label: 'From', about: 'Such as 08:00.' },
  'context.time_windows.to': { label: 'To', about: 'Such as 18:00; the end is not within it.' },
  'context.time_windows.timezone': { label: 'Time zone', about: 'Such as Europe/Berlin.' },
  'context.geo': { label: 'Countries' },
  'context.geo.allow': {
    label: 'Countries that are allowed',
    about: 'Only these, one in each line (ISO 3166-1, such as DE); a request must then name its country.',
  },
  'context.geo.deny': { label: 'Countries that are denied', about: 'None of these, one in each line.' },
  risk: { label: 'How often, and how unusual' },
  'risk.velocity_limit': { label: 'A limit over time' },
  'risk.velocity_limit.max_transactions': {
    label: 'The most purchases',
    about: 'So many purchases within the window.',
  },
  'risk.velocity_limit.max_amount': { label: 'The most spending', about: 'So much in all within the window.' },
  'risk.velocity_limit.time_window': { label: 'Window', about: 'How far back it counts: 30m, 24h or 7d.' },
  'risk.velocity_limit.scope': {
    label: 'Whose purchases count',
    about: 'Agent: each agent has the limit to itself. Policy: all agents share it.',
  },
  'risk.anomaly': { label: 'Unusual amounts' },
  'risk.anomaly.min_history': { label: 'After so many payments', about: 'Before that no amount is unusual.' },
  'risk.anomaly.max_deviation': {
    label: 'Deviations',
    about: 'An amount is unusual that is more than so many standard deviations above the agent’s mean.',
  },
  'risk.anomaly.action': { label: 'What becomes of it', about: 'Deny: it is refused. Presence: a person approves it.' },
  rails: { label: 'How it is paid' },
  'rails.allow': { label: 'Rails that are allowed', about: 'Only these, one in each line.' },
  'rails.priorities': { label: 'Order of rails', about: 'They are tried in this order; one in each line.' },
};

/** @returns undefined for a rule that nobody has found words for, which is then called by its name in the JSON */
export function wordsFor(path: string): Words | undefined {
  return WORDS[path];
}

export function labelOf(path: string): string {
  return wordsFor(path)?.label ?? wordsOf(path.split('.').at(-1) ?? path);
}

/** What the draft says by this rule, in words; where it is not set, or not right yet, what the rule is for. */
export function sentenceAt(path: string, { rules }: { readonly rules?: Rules | undefined }): string | undefined {
  const said = rules && sentencesFor(rules).find((each) => each.path === path);
  return said?.sentence ?? wordsFor(path)?.about;
}

export const WORDED: readonly string[] = Object.keys(WORDS);
