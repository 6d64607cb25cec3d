/**
 * What would have passed: the smallest change of a refused request that the policy allows. Every change that is named was put
 * to the evaluator, which allowed it; where no change alone is enough, it says which are together, or that none are and why.
 */
import { z } from 'zod';
import { formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetails } from '../reason.ts';
import { isoTime } from '../wire/time.ts';
import type { PolicyFacts, PolicyRequest } from './check.ts';
import type { CompiledPolicy } from './compile.ts';
import { CHECKS, evaluate } from './evaluate.ts';
import type { LaterUse } from './laterUse.ts';
import { CHANGE_KINDS, type ChangeKind, type NamedValue } from './rule.ts';
import { forgottenAt } from './rules/duplicate.ts';

const Change = z.object({
  change: z.enum(CHANGE_KINDS),
  amount: z.number().optional().describe('The largest amount that passes.'),
  currency: z.string().optional(),
  from: z.string().optional().describe('The earliest moment at which it passes, if nothing else is bought until then.'),
  names: z.array(z.string()).optional().describe('What the rule names: each of these passes.'),
  how: z.string().describe('In words, as what follows “it would pass”.'),
});
type Change = z.infer<typeof Change>;

export const Counterfactual = z.object({
  alone: z.array(Change).describe('Changes of which each alone is enough.'),
  together: z
    .array(Change)
    .describe('Where none alone is enough: changes that are together. Empty where nothing helps.'),
  sentence: z.string().describe('All of it in one sentence.'),
});
export type Counterfactual = z.infer<typeof Counterfactual>;

/** What a merchant registry knows of a merchant. It wins over what a request says; of what it does not know there is no member. */
export interface RegisteredTerms {
  readonly mcc?: string | undefined;
  readonly country?: string | undefined;
}

/** A request that was refused, and what its refusal rests on. */
export interface DeniedRequest {
  readonly policy: CompiledPolicy;
  /** As it was made, without what a registry says of its merchant. */
  readonly request: PolicyRequest;
  readonly facts: PolicyFacts;
  /** What a registry says of a merchant, where there is one. */
  readonly registered?: ((merchantDomain: string | undefined) => RegisteredTerms) | undefined;
  /** One sentence where the intent is for other merchants than one. */
  readonly mismatch?: ((merchantDomain: string) => string | undefined) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** `later` where no person has to be there yet; `invalid` where the proof of presence was not accepted. */
  readonly person: 'later' | 'absent' | 'invalid' | 'present';
  /** True where the agent or the merchant wants a person, regardless of the policy. */
  readonly confirmed?: boolean;
  /** What leaves the windows later; without it no later time is offered for them. */
  readonly later?: LaterUse | undefined;
  /** The most that the intent allows, in the request's currency. */
  readonly mostMinor?: number | undefined;
  /** From this moment on the request itself does not stand any more. */
  readonly until?: number | undefined;
  /** Reasons that no change of the request takes away. */
  readonly fixed?: ReasonDetails | undefined;
}

/** A request with its changes. */
interface Proposal extends PolicyRequest {
  readonly at: number;
  readonly isPresent: boolean;
}

/** @returns undefined for a request that is not refused */
export function counterfactualOf(refused: DeniedRequest): Counterfactual | undefined {
  const asked: Proposal = { ...refused.request, at: refused.now, isPresent: refused.person === 'present' };
  const reasons = reasonsAgainst(refused, asked);
  const messages = Object.values(reasons).map((detail) => detail?.message ?? '');
  if (messages.length === 0) return undefined;
  const isFixed = Object.keys(refused.fixed ?? {}).length > 0;
  const kinds = isFixed ? [] : CHANGE_KINDS.filter((kind) => matters(kind, refused, reasons));
  const fitting = fittingOf(refused, asked, kinds);
  const search: Search = { refused, asked, fitting, openFrom: openings(refused.policy) };
  const alone = kinds.flatMap((kind) => attempt(search, [kind]) ?? []);
  const together = alone.length > 0 ? [] : attemptFirst(search, choicesOf(kinds));
  return { alone, together, sentence: sentenceOf(alone, together, messages) };
}

/** Every reason against a proposal, of the policy and of what is around it. */
function reasonsAgainst(refused: DeniedRequest, proposal: Proposal): ReasonDetails {
  const { policy, person, mostMinor, fixed, registered } = refused;
  const { at, isPresent, ...said } = proposal;
  const request = { ...said, ...registered?.(said.merchantDomain) };
  const { details, hpRequired } = evaluate(policy, request, factsOf(refused, proposal), at);
  const reasons: ReasonDetails = { ...details, ...fixed };
  if (mostMinor !== undefined && request.amountMinor > mostMinor) {
    const most = formatMoney(mostMinor, request.currency);
    reasons.CART_EXCEEDS_INTENT = { message: `The intent allows ${most}.` };
  }
  const mismatch = isElsewhere(refused, proposal) ? refused.mismatch?.(String(proposal.merchantDomain)) : undefined;
  if (mismatch !== undefined) reasons.MERCHANT_MISMATCH = { message: mismatch };
  if (isPresent || person === 'later') return reasons;
  if (person === 'invalid') reasons.HP_INVALID = { message: 'The proof of presence is not accepted.' };
  if (hpRequired || refused.confirmed === true) reasons.HP_REQUIRED = { message: 'A person has to be present.' };
  return reasons;
}

/** Whether a proposal is about another merchant than the one that was asked for. */
function isElsewhere({ request }: DeniedRequest, { merchantDomain }: Proposal): boolean {
  return merchantDomain !== request.merchantDomain;
}

/** Of another merchant it is not known whether the agent paid there before: it counts as new. */
function factsOf(refused: DeniedRequest, proposal: Proposal): PolicyFacts {
  const { facts, later, now } = refused;
  const { at } = proposal;
  const newMerchant = isElsewhere(refused, proposal) ? true : facts.newMerchant;
  const limits = at === now || later === undefined ? facts.limits : later.at(at);
  // A purchase elsewhere is another one.
  const sameBefore = isElsewhere(refused, proposal) ? undefined : facts.sameBefore;
  return { ...facts, newMerchant, limits, sameBefore };
}

const passes = (refused: DeniedRequest, proposal: Proposal): boolean =>
  Object.keys(reasonsAgainst(refused, proposal)).length === 0;

/** The reasons of a policy's rules that a change can take away. */
const byRule = (kind: ChangeKind) => CHECKS.filter(({ helps }) => helps.includes(kind)).map(({ code }) => code);

/** The reasons that a change can take away. */
const HELPS: Readonly<Record<ChangeKind, readonly string[]>> = {
  amount: [...byRule('amount'), 'CART_EXCEEDS_INTENT', 'HP_REQUIRED'],
  presence: ['HP_REQUIRED', 'HP_INVALID'],
  time: byRule('time'),
  merchant: byRule('merchant'),
  category: byRule('category'),
  country: byRule('country'),
};
/** The reasons for which purchases before this one are the cause, so that they go when those leave a window. */
const FULL = CHECKS.filter(({ helps, opensAt }) => helps.includes('time') && opensAt === undefined);

function matters(kind: ChangeKind, { person }: DeniedRequest, reasons: ReasonDetails): boolean {
  // Another merchant is a new one, which may take a person.
  if (kind === 'presence') return person === 'absent' || person === 'invalid';
  return HELPS[kind].some((code) => code in reasons);
}

/** The member of a request that a change is about, where rules name what they allow. */
const LISTED = { merchant: 'merchantDomain', category: 'mcc', country: 'country' } as const;
type ListKind = keyof typeof LISTED;

const isListKind = (kind: ChangeKind): kind is ListKind => kind in LISTED;

function namedBy(policy: CompiledPolicy, kind: ListKind): readonly NamedValue[] {
  return CHECKS.filter(({ helps }) => helps.includes(kind)).flatMap((rule) => rule.named?.(policy) ?? []);
}

interface Search {
  readonly refused: DeniedRequest;
  readonly asked: Proposal;
  /** The first moment from one on that lies in the policy's times. */
  readonly openFrom: (moment: number) => number | undefined;
  /** Of each list, what takes its own reasons away. */
  readonly fitting: ReadonlyMap<ChangeKind, readonly NamedValue[]>;
}

/** Many choices of changes ask of the same moment. */
function openings(policy: CompiledPolicy): Search['openFrom'] {
  const known = new Map<number, number | undefined>();
  const openAt = (moment: number) =>
    CHECKS.reduce<number | undefined>(
      (from, rule) => (from === undefined || rule.opensAt === undefined ? from : rule.opensAt(policy, from)),
      moment,
    );
  return (moment) => {
    if (!known.has(moment)) known.set(moment, openAt(moment));
    return known.get(moment);
  };
}

/** Of the merchants that a list names so many are tried; of what a list names so many are told. */
export const MOST_TRIED = 200;
const MOST_TOLD = 20;

function fittingOf(refused: DeniedRequest, asked: Proposal, kinds: readonly ChangeKind[]): Search['fitting'] {
  const fitting = new Map<ChangeKind, readonly NamedValue[]>();
  for (const kind of kinds) {
    if (!isListKind(kind)) continue;
    const fits = ({ value }: NamedValue) => {
      const reasons = reasonsAgainst(refused, { ...asked, [LISTED[kind]]: value });
      const inTheWay = kind === 'merchant' ? [...HELPS.merchant, ...ownReasons(refused, value)] : HELPS[kind];
      return !inTheWay.some((code) => code in reasons);
    };
    const named = namedBy(refused.policy, kind);
    fitting.set(kind, byName(kind === 'merchant' ? named.slice(0, MOST_TRIED) : named, fits));
  }
  return fitting;
}

/** The reasons that a merchant brings along, which no other change of the request takes away. */
function ownReasons({ registered }: DeniedRequest, merchantDomain: string): readonly string[] {
  const known = registered?.(merchantDomain) ?? {};
  const fixed = [...('mcc' in known ? HELPS.category : []), ...('country' in known ? HELPS.country : [])];
  return ['MERCHANT_MISMATCH', ...fixed];
}

/** Those that fit. A name of which some values do not is not told; its values that do are. */
function byName(named: readonly NamedValue[], fits: (each: NamedValue) => boolean): NamedValue[] {
  const partly = new Set<string>();
  const fitting: NamedValue[] = [];
  for (const each of named) {
    if (fits(each)) fitting.push(each);
    else partly.add(each.name);
  }
  return fitting.map(({ name, value }) => ({ name: partly.has(name) ? value : name, value }));
}

/** All choices of two or more kinds, those of few first. */
function choicesOf(kinds: readonly ChangeKind[]): ChangeKind[][] {
  const none: ChangeKind[][] = [[]];
  const all = kinds.reduce((found, kind) => found.concat(found.map((each) => [...each, kind])), none);
  return all.filter(({ length }) => length > 1).sort((one, other) => one.length - other.length);
}

function attemptFirst(search: Search, choices: readonly (readonly ChangeKind[])[]): Change[] {
  for (const kinds of choices) {
    const found = attempt(search, kinds);
    if (found !== undefined) return found;
  }
  return [];
}

/** @returns changes of these kinds with which the evaluator allows the request; undefined where there are none */
function attempt(search: Search, kinds: readonly ChangeKind[]): Change[] | undefined {
  const { refused, asked, fitting } = search;
  let proposal: Proposal = kinds.includes('presence') ? { ...asked, isPresent: true } : asked;
  for (const kind of kinds) {
    if (!isListKind(kind)) continue;
    const fits = fitting.get(kind) ?? [];
    const withIt = ({ value }: NamedValue): Proposal => ({ ...proposal, [LISTED[kind]]: value });
    const fit = kinds.length === 1 ? fits.find((each) => passes(refused, withIt(each))) : fits[0];
    if (fit === undefined) return undefined;
    proposal = withIt(fit);
  }
  const isLess = kinds.includes('amount');
  if (kinds.includes('time')) {
    const at = earliest(search, isLess ? { ...proposal, amountMinor: 1 } : proposal);
    if (at === undefined) return undefined;
    proposal = { ...proposal, at };
  }
  if (isLess) proposal = { ...proposal, amountMinor: largest(refused, proposal) };
  if (!passes(refused, proposal)) return undefined;
  return kinds.map((kind) => changeOf(kind, search, proposal));
}

/** The largest amount that passes, up to what is asked, by halves: an agent that may spend an amount may spend less. */
function largest(refused: DeniedRequest, proposal: Proposal): number {
  let low = 1;
  let high = proposal.amountMinor;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (passes(refused, { ...proposal, amountMinor: middle })) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The earliest later moment at which no limit of a window and no time of the day is in the way. */
function earliest({ refused, openFrom }: Search, proposal: Proposal): number | undefined {
  const { policy, facts, now, later, until } = refused;
  const leaving = [...(later?.moments ?? []), forgottenAt(policy, facts.sameBefore) ?? now];
  const moments = [now, ...leaving.filter((moment) => moment > now).sort((one, other) => one - other)];
  const isFull = (at: number) => {
    const reasons = reasonsAgainst(refused, { ...proposal, at });
    return FULL.some(({ code }) => code in reasons);
  };
  let low = 0;
  let high = moments.length - 1;
  // Nothing comes to a window in the meantime, so that once there is room there is room from then on.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isFull(moments[middle] as number)) low = middle + 1;
    else high = middle;
  }
  const at = openFrom(moments[low] as number);
  return at === undefined || at === now || (until !== undefined && at >= until) ? undefined : at;
}

function changeOf(kind: ChangeKind, { refused, fitting }: Search, proposal: Proposal): Change {
  const { amountMinor, currency, at } = proposal;
  if (kind === 'amount') {
    const how = `with at most ${formatMoney(amountMinor, currency)}`;
    return { change: kind, amount: fromMinor(amountMinor, currency), currency, how };
  }
  if (kind === 'presence') return { change: kind, how: 'with the person present' };
  if (kind === 'time') {
    const from = isoTime(at);
    return { change: kind, from, how: `from ${from} on, if nothing else is bought until then` };
  }
  const names = new Set<string>();
  for (const { name, value } of fitting.get(kind) ?? []) {
    if (names.size === MOST_TOLD) break;
    if (!names.has(name) && passes(refused, { ...proposal, [LISTED[kind]]: value })) names.add(name);
  }
  const told = [...names];
  return { change: kind, names: told, how: `${PLACES[kind]} that the policy names: ${told.join(', ')}` };
}

const PLACES = { merchant: 'at a merchant', category: 'in a category', country: 'in a country' } as const;

function sentenceOf(alone: readonly Change[], together: readonly Change[], messages: readonly string[]): string {
  if (alone.length > 0) return `It would pass ${alone.map(({ how }) => how).join('; or ')}.`;
  if (together.length > 0) return `It would pass ${together.map(({ how }) => how).join(', and ')}.`;
  return `No smaller amount, other time or person would make it pass. ${messages.join(' ')}`;
}
