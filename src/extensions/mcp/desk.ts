/** Whom the tools ask: a node, over its core or over REST. */
import type { z } from 'zod';
import type { table, UseCaseName } from '../../operations/table.ts';
import type { Answer } from '../../usecase/call.ts';

type InputOf<Name extends UseCaseName> = z.input<(typeof table)[Name]['input']>;
type OutputOf<Name extends UseCaseName> =
  Awaited<ReturnType<(typeof table)[Name]['run']>> extends Answer<infer Output> ? Output : never;

export interface Desk {
  /** @returns the agent that the credential names; undefined where it names none, or several @throws Fault */
  agent(): Promise<string | undefined>;
  /** Stands for the caller in what a tool seals: no other caller may open it. */
  readonly callerId: string;
  /** @throws Fault */
  ask<Name extends UseCaseName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>;
  /** Seals what goes through the client and comes back. */
  seal(state: object): Promise<string>;
  /** @returns what was sealed; undefined for anything else */
  open(state: string): Promise<unknown>;
}
