/** What the rules say of one call of a tool, and what its arguments say is bought. Pure. */
import { Currency, fromMinor } from '../../../../protocol/money.ts';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import { type AmountSource, readAmount, UnreadableAmount } from './amount.ts';
import type { GuardConfig, PathCondition, ToolRule, Upstream } from './guardConfig.ts';
import { globOf, isOneOf, textAt, valuesAt } from './jsonPath.ts';

/** A tool as its server lists it. */
export interface UpstreamTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly [name: string]: unknown };
  readonly [member: string]: unknown;
}

export interface ToolCall {
  /** The name of the server. */
  readonly upstream: string;
  /** Stands for the credentials of the client, where the server is sent these. */
  readonly account?: string;
  /** As it is listed; undefined for a name that is not. */
  readonly tool: UpstreamTool | undefined;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What it comes back with, where its server has asked its client; undefined for a first call. */
  readonly continues?: Continuation | undefined;
}

/** What a server gives its client to go on with, which it may change; undefined where it gives nothing. */
export interface Continuation {
  readonly requestState: string | undefined;
}

/** What is done with a call. */
type CallTreatment =
  | { readonly kind: 'guard'; readonly rule: ToolRule }
  | { readonly kind: 'forward' | 'ask' }
  | { readonly kind: 'refuse'; readonly because: string };

/** The rules of the file first, and then those of the server's preset. */
export function rulesFor(
  config: GuardConfig,
  upstream: Upstream,
  presets: Record<string, readonly ToolRule[]>,
): ToolRule[] {
  const own = config.tool.filter((rule) => rule.upstream === undefined || rule.upstream === upstream.name);
  const preset = upstream.preset === undefined ? [] : (presets[upstream.preset] ?? []);
  const { merchant, currency } = upstream;
  return [
    ...own,
    ...preset.map((rule) => ({
      ...rule,
      ...(merchant !== undefined && rule.merchant !== undefined ? { merchant } : {}),
      // A path of the vendor's own says more than one currency for all.
      ...(currency !== undefined && rule.currency?.startsWith('$') === false ? { currency } : {}),
    })),
  ];
}

export function matches(rule: ToolRule, name: string): boolean {
  return globOf(rule.match).test(name);
}

export function judgeCall(
  rules: readonly ToolRule[],
  unmatched: GuardConfig['unmatched'],
  call: ToolCall,
): CallTreatment {
  const { tool } = call;
  // What is not listed was accepted by no person.
  if (tool === undefined) return { kind: 'refuse', because: `Its server lists no tool ${inertText(call.name)}.` };
  const rule = rules.find((each) => matches(each, call.name) && hasAll(call.input, each.when ?? {}));
  if (rule === undefined) return judgeUnmatched(unmatched, tool);
  if (rule.action === 'forward') return { kind: 'forward' };
  if (rule.action === 'guard') return { kind: 'guard', rule };
  return { kind: 'refuse', because: `No rule of the guard lets this call of ${call.name} through.` };
}

function judgeUnmatched(unmatched: GuardConfig['unmatched'], tool: UpstreamTool): CallTreatment {
  const action = isReadOnly(tool) ? unmatched.read_only : unmatched.other;
  if (action !== 'refuse') return { kind: action };
  return { kind: 'refuse', because: `No rule of the guard says what ${inertText(tool.name)} may spend.` };
}

/** Absent annotations say nothing; and what names money in its arguments is not believed to read only. */
export function isReadOnly(tool: UpstreamTool): boolean {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  return readOnlyHint === true && destructiveHint !== true && moneyMembers(tool).length === 0;
}

const MONEY =
  /^(amount|amount_?money|price|total|sum|tip|tip_?money|currency|currency_?code|pay_?to|payee|card|card_?number|unit_?amount)$/i;

/** The members of its arguments that are named as money is, at any depth. */
export function moneyMembers(tool: UpstreamTool): string[] {
  const found = new Set<string>();
  const look = (schema: unknown, depth: number): void => {
    if (typeof schema !== 'object' || schema === null || depth > 12) return;
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties' && typeof value === 'object' && value !== null) {
        for (const member of Object.keys(value)) if (MONEY.test(member)) found.add(member);
      }
      look(value, depth + 1);
    }
  };
  look(tool['inputSchema'], 0);
  return [...found];
}

export function hasAll(document: unknown, condition: PathCondition): boolean {
  return Object.entries(condition).every(([path, value]) => isOneOf(document, path, [value].flat()));
}

export interface ToolPurchase {
  readonly amountMinor: number;
  readonly currency: string;
  readonly merchant: string;
  readonly items?: readonly { readonly name: string; readonly price: number; readonly quantity: number }[];
  /** By which the call itself names the purchase. */
  readonly idempotency?: string;
}

/** @throws UnreadableAmount where the arguments do not say what is bought: a sentence for who calls */
export function readPurchase(rule: ToolRule, name: string, input: unknown): ToolPurchase {
  const currency = readCurrency(rule, name, input);
  const { unit = 'minor', amount } = rule;
  let amountMinor: number;
  try {
    amountMinor = readAmount(input, amount as AmountSource, unit, currency);
  } catch (error) {
    if (error instanceof UnreadableAmount) throw new UnreadableAmount(`The amount of ${name} ${error.message}.`);
    throw error;
  }
  const merchant = rule.merchant?.startsWith('$') ? textAt(input, rule.merchant) : rule.merchant;
  if (merchant === undefined) throw new UnreadableAmount(`Whom ${name} pays is not at ${rule.merchant}.`);
  const items = readItems(rule, input, amountMinor, currency);
  const idempotency = rule.idempotency === undefined ? undefined : textAt(input, rule.idempotency);
  return {
    amountMinor,
    currency,
    merchant: merchant.toLowerCase(),
    ...(items === undefined ? {} : { items }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}

function readCurrency({ currency = '' }: ToolRule, name: string, input: unknown): string {
  const found = currency.startsWith('$') ? textAt(input, currency)?.toUpperCase() : currency;
  if (Currency.safeParse(found).success) return found as string;
  throw new UnreadableAmount(`The currency of ${name} is not at ${currency}.`);
}

/** Left out where they do not add up: a person must not read other sums than what is paid. */
function readItems(
  { items, unit }: ToolRule,
  input: unknown,
  amountMinor: number,
  currency: string,
): ToolPurchase['items'] {
  if (items === undefined) return undefined;
  try {
    let sum = 0;
    const read = valuesAt(input, items.each).map((element) => {
      const priceMinor = readAmount(element, items.price, unit ?? 'minor', currency);
      const count = items.quantity === undefined ? undefined : textAt(element, items.quantity);
      const quantity = Number(count ?? 1);
      if (!Number.isSafeInteger(quantity) || quantity <= 0) throw new UnreadableAmount('has no whole quantity');
      sum += priceMinor * quantity;
      return {
        name: (textAt(element, items.name) ?? 'Item').slice(0, 500),
        price: fromMinor(priceMinor, currency),
        quantity,
      };
    });
    return sum === amountMinor && read.length > 0 && read.length <= 100 ? read : undefined;
  } catch (error) {
    if (error instanceof UnreadableAmount) return undefined;
    throw error;
  }
}
