/**
 * A call that its server answers with questions (MCP since 2026-07-28: `input_required`): the call that brings the answers is the same
 * purchase, and goes on by what was reserved for it. What a server gave to go on with is good for the arguments that it was given for, once.
 */
import { canonicalPlainly } from '../../../../protocol/credential/canonical.ts';
import { type HeldOrder, type StateFile, sha256 } from '../guardState.ts';
import type { Continuation } from '../rules/readCall.ts';
import type { McpToolResult } from '../rules/readResult.ts';

/** @returns what the server asks its client to come back with; undefined where it asks nothing */
export function questionIn({ resultType, requestState }: McpToolResult): Continuation | undefined {
  if (resultType !== 'input_required') return undefined;
  return { requestState: typeof requestState === 'string' ? requestState : undefined };
}

/** @param params of a call @returns what it comes back with; undefined for a first call */
export function continuationIn(params: Readonly<Record<string, unknown>>): Continuation | undefined {
  const { requestState, inputResponses } = params;
  if (requestState === undefined && inputResponses === undefined) return undefined;
  return { requestState: typeof requestState === 'string' ? requestState : undefined };
}

/** @param content what is called, by its hash */
export function keepQuestion(state: StateFile, content: string, question: Continuation, held: HeldOrder): void {
  const id = questionId(content, question);
  state.change(({ orders }) => {
    delete orders[id];
    orders[id] = held;
  });
}

/** @returns what was reserved for the call that the server asked at; undefined where it asked at none, or that was answered before */
export function takeQuestion(state: StateFile, content: string, question: Continuation): HeldOrder | undefined {
  const id = questionId(content, question);
  let held: HeldOrder | undefined;
  if (!Object.hasOwn(state.read().orders, id)) return undefined;
  state.change(({ orders }) => {
    held = Object.hasOwn(orders, id) ? orders[id] : undefined;
    delete orders[id];
  });
  return held;
}

function questionId(content: string, { requestState }: Continuation): string {
  return `question ${sha256(canonicalPlainly([content, requestState ?? null]))}`;
}
