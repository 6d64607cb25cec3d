/** What the result of a tool says became of the money: paid, not paid, or neither, which leaves the amount reserved. Pure. */
import { type AmountSource, readAmount, UnreadableAmount } from './amount.ts';
import type { PathCondition, ToolRule } from './guardConfig.ts';
import { textAt } from './jsonPath.ts';
import { hasAll } from './readCall.ts';

/** A tool's result as it came. */
export interface McpToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly [member: string]: unknown;
}

type ToolOutcome =
  | { readonly kind: 'paid'; readonly reference: string; readonly amountMinor: number | undefined }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unknown' };

/** What a result holds as JSON: its structured content, and its first text where that is JSON. */
function documentsOf({ structuredContent, content }: McpToolResult): unknown[] {
  const text = content?.find(({ type }) => type === 'text')?.text;
  return [structuredContent, jsonIn(text)].filter((document) => typeof document === 'object' && document !== null);
}

function jsonIn(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** @param currency in which the amount was reserved */
export function readResult(rule: ToolRule, result: McpToolResult, currency: string): ToolOutcome {
  const documents = documentsOf(result);
  const some = (condition: PathCondition) => documents.some((document) => hasAll(document, condition));
  if (rule.uncertain !== undefined && some(rule.uncertain)) return { kind: 'unknown' };
  const failures = rule.failed === undefined ? [] : [rule.failed].flat();
  if (failures.some(some)) return { kind: 'failed' };
  // An error of the tool says nothing about the money: its server may have charged before.
  if (result.isError === true || (rule.succeeded !== undefined && !some(rule.succeeded))) return { kind: 'unknown' };
  for (const document of documents) {
    const reference = rule.reference === undefined ? undefined : textAt(document, rule.reference);
    if (reference !== undefined) return paid(rule, document, reference, currency);
  }
  return { kind: 'unknown' };
}

function paid(rule: ToolRule, document: unknown, reference: string, currency: string): ToolOutcome {
  if (rule.paid === undefined) return { kind: 'paid', reference, amountMinor: undefined };
  try {
    const amountMinor = readAmount(document, rule.paid as AmountSource, rule.unit ?? 'minor', currency);
    return { kind: 'paid', reference, amountMinor };
  } catch (error) {
    // Something was paid, and how much cannot be read: all that was reserved counts.
    if (error instanceof UnreadableAmount) return { kind: 'paid', reference, amountMinor: undefined };
    throw error;
  }
}

/** Where a tool wants a person to pay on a page: each further question would make another page. */
export function paymentPageOf(result: McpToolResult): string | undefined {
  for (const document of documentsOf(result)) {
    const url = hasAll(document, { '$.status': 'payment_required' })
      ? textAt(document, '$.data.checkoutUrl')
      : undefined;
    if (url !== undefined && /^https?:\/\//.test(url)) return url;
  }
  return undefined;
}
