/** The shape of a tool: what a model is told of it, what it does, and whom it asks. */
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { RefusalResult } from '../../protocol/intent.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import type { table } from '../operations/table.ts';
import type { Answer } from '../usecase/call.ts';
import type { OperationTable, UseCase } from '../usecase/useCase.ts';

type InputOf<Asked extends UseCase> = z.input<Asked['input']>;
type OutputOf<Asked extends UseCase> = Awaited<ReturnType<Asked['run']>> extends Answer<infer Output> ? Output : never;

/** A node as tools ask it, over its core or over REST: the kernel's operations, unless its type names those of an extension. */
export interface Desk<Operations extends Partial<OperationTable> = typeof table> {
  /** @returns the agent that the credential names; undefined where it names none, or several @throws Fault */
  agent(): Promise<string | undefined>;
  /** Stands for the caller in what a tool seals: no other caller may open it. */
  readonly callerId: string;
  /** @throws Fault */
  ask<Name extends string & keyof Operations>(
    name: Name,
    input: InputOf<NonNullable<Operations[Name]>>,
  ): Promise<OutputOf<NonNullable<Operations[Name]>>>;
  /** Seals what goes through the client and comes back. */
  seal(state: object): Promise<string>;
  /** @returns what was sealed; undefined for anything else */
  open(state: string): Promise<unknown>;
}

export interface ToolContext<Operations extends Partial<OperationTable> = typeof table> {
  readonly desk: Desk<Operations>;
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
export function tool<Input extends z.ZodObject, Operations extends Partial<OperationTable> = typeof table>(
  definition: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(context: ToolContext<Operations>, input: z.output<Input>): Promise<ToolResult>;
  },
): Tool {
  return { ...definition, input: definition.input.strict() } as unknown as Tool;
}

/** How a record is shown whose id begins with a prefix: the operation that shows it, and the member of its input that takes the id. */
export interface RecordLookup {
  /** Such as `a task`. */
  readonly noun: string;
  readonly operation: string;
  readonly member: string;
}

/** What extensions add to the tools of a node. */
export interface ToolParts {
  readonly tools: readonly Tool[];
  /** By the prefix of the id, such as `txn_`. */
  readonly records: Readonly<Record<string, RecordLookup>>;
}

/** @throws Fault BAD_REQUEST where neither the input nor the credential names the agent */
export async function agentOf(desk: Pick<Desk, 'agent'>, named: string | undefined): Promise<string> {
  const did = named ?? (await desk.agent());
  if (did !== undefined) return did;
  const message = 'names the agent that buys; this credential stands for none, or for several';
  throw new Fault('BAD_REQUEST', `agentDid: ${message}.`, [{ path: 'agentDid', message }]);
}

/** The sentences of a refusal, one after the other. */
export function sentencesOf({ details }: Pick<z.infer<typeof RefusalResult>, 'details'>): string {
  return Object.values(details)
    .map(({ message }) => message)
    .join(' ');
}
