/** By what the guard knows calls, and the orders that they make. */
import { canonicalPlainly } from '../../../../protocol/credential/canonical.ts';
import { sha256 } from '../guardState.ts';
import type { ToolCall } from '../rules/readCall.ts';

export function orderId(call: ToolCall, reference: string): string {
  return `${accountOf(call)} ${reference}`;
}

/** A server of two clients with credentials of their own is two. */
export function accountOf({ upstream, account }: ToolCall): string {
  return account === undefined ? upstream : `${upstream} ${account}`;
}

export function untrustedTool(call: ToolCall): string {
  return `${accountOf(call)} ${call.name}`;
}

/** What is called: the same again is the same purchase while the first is on its way. */
export function contentOf(call: ToolCall): string {
  return sha256(canonicalPlainly([accountOf(call), call.name, call.input]));
}
