/** The shape of a tool: what a model is told of it, and what it does. */
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Desk } from './desk.ts';

export interface ToolContext {
  readonly desk: Desk;
  /** Whether the client opens an address for its person, as it said itself. */
  readonly opensUrls: boolean;
  /** What the client brings back from an earlier round of this call. */
  readonly returned:
    | { readonly state: unknown; readonly action: 'accept' | 'decline' | 'cancel' | undefined }
    | undefined;
}

/** What a tool gives: a value by its output schema, with a sentence for a model that reads text, or a question. */
export type ToolResult = { readonly output: object; readonly text: string } | { readonly asks: InputRequiredResult };

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly hints: ToolHints;
  run(context: ToolContext, input: never): Promise<ToolResult>;
}

/** What a host shows its person before it lets a model call. */
interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

/** Declares a tool with its types inferred. Its arguments are closed: one under a wrong name is a restriction that would not hold. */
export function tool<Input extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(context: ToolContext, input: z.output<Input>): Promise<ToolResult>;
  },
): Tool {
  return { ...definition, input: definition.input.strict() } as Tool;
}
