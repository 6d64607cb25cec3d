/** The shape of a use case, and the ways most of them run: in one commit, on one snapshot, or in several steps. */
import type { z } from 'zod';
import type { SignedDocument } from '../../protocol/credential/canonical.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { detailsOf, type MemberFault } from '../../protocol/wire/issue.ts';
import { type UnknownMember, unknownMembers } from '../../protocol/wire/unknownMembers.ts';
import { type Caller, type Permission, requireTouch } from '../access/caller.ts';
import { findRequest } from '../store/statements/callers/requests.ts';
import { type Load, type Script, together } from '../store/store.ts';
import type { Answer, Call } from './call.ts';
import type { Deps, Log, LogLine } from './deps.ts';
import { closeCall, keysOf, openCall, writeReply } from './exchange.ts';
import { requireStanding } from './standing.ts';

export type Run<Input, Output, Own = Deps> = (deps: Own, call: Call, input: Input) => Promise<Answer<Output>>;

declare const counted: unique symbol;
/** No value has it: it is the type's word that the node counts what is decided, which `decision` alone gives. */
export interface DecisionCounter {
  readonly [counted]: true;
}
/** What an operation is given that decides on a purchase. */
export type DecidingDeps = Deps & DecisionCounter;

export interface UseCase<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  /** One sentence for the documents. */
  readonly summary: string;
  readonly input: Schema;
  readonly output: z.ZodType;
  /** `any` where every known caller may. */
  readonly permission: Permission | 'any' | 'self';
  /** True where an agent gets its own from it, and nothing else. */
  readonly showsOwn?: true;
  /** What may go wrong in it beyond what any request may meet: a credential, an input, a limit. */
  readonly faults?: readonly ('FORBIDDEN' | 'NOT_FOUND' | 'CONFLICT' | 'PRECONDITION_FAILED')[];
  /** Media types it can answer with besides JSON. */
  readonly media?: readonly string[];
  /** Where it is answered as CSV too, to who asks for that. */
  readonly csv?: CsvForm<never>;
  /** True where it answers with that media type alone, without an end of its own. */
  readonly endless?: true;
  /** True where the same request may come twice and must have one effect. */
  readonly idempotent?: boolean;
  /** True where the answer carries a token, so that it is stored sealed. */
  readonly secretAnswer?: boolean;
  /** True where it raises a risk, so that a person needs a fresh touch of a passkey for it (requireTouch). */
  readonly stepUp?: boolean;
  /** True where its answer is a decision on a purchase, which the node counts: declared by `decision`. */
  readonly decides?: true;
  /** True where it exists in the sandbox only. */
  readonly sandboxOnly?: boolean;
  readonly run: Run<z.output<Schema>, Output>;
}

/** What can be asked of a node, by name. */
export type OperationTable = Readonly<Record<string, UseCase>>;

/** A cell of a table. */
export type CsvCell = string | number | boolean | undefined;

/** How a use case is written as CSV. */
export interface CsvForm<Output = unknown, Facts = unknown> {
  /** Under which name a browser saves it. */
  readonly fileName: string;
  readonly header: readonly string[];
  /** Reads what the rows have besides what is answered otherwise. */
  load?(deps: Deps, caller: Caller, output: Output): Promise<Facts>;
  /** @param facts what `load` has read */
  rows(output: Output, facts: Facts): readonly (readonly CsvCell[])[];
  /** What leads to the next page; absent where there is one answer. */
  cursorOf?(output: Output): string | null;
}

/** Declares a use case with its types inferred. */
export function useCase<Schema extends z.ZodType, Output>(
  definition: UseCase<Schema, Output> & { readonly decides?: never },
): UseCase<Schema, Output> {
  return definition;
}

type Decision<Schema extends z.ZodType, Output> = Omit<UseCase<Schema, Output>, 'decides' | 'idempotent' | 'run'> & {
  readonly run: Run<z.output<Schema>, Output, DecidingDeps>;
};

/**
 * Declares a use case that decides on a purchase: the same request twice has one effect, and the node counts the decision.
 * What records a decision in the evidence can be called within it alone, so that each one is counted.
 */
export function decision<Schema extends z.ZodType, Output>(
  definition: Decision<Schema, Output>,
): UseCase<Schema, Output> {
  const run = definition.run as Run<z.output<Schema>, Output, never> as Run<z.output<Schema>, Output>;
  return { ...definition, run, idempotent: true, decides: true };
}

export interface CommitContext {
  /** Milliseconds since the epoch, the same for everything in one commit. */
  readonly now: number;
  readonly contextId: string | undefined;
  /** Documents signed for the answer. The use case puts them here, so that the reply does not write their text again. */
  readonly signed: SignedDocument[];
}

/** A use case that decides and writes in one commit. */
export function inOneCommit<Input, Output>(
  script: (deps: Deps, caller: Caller, input: Input, context: CommitContext) => Script<Output>,
): Run<Input, Output> {
  return loadedInOneCommit(() => ({}), script);
}

/**
 * A use case that loads, decides and writes in one commit.
 * @param load what it reads before it decides, by name: SQLite reads one after the other, PostgreSQL all in the trip that takes the
 *   lock
 * @param script is given what was loaded
 */
export function loadedInOneCommit<Input, Output, Facts extends object, Own extends Deps = Deps>(
  load: (deps: Own, caller: Caller, input: Input) => Loaders<Facts>,
  script: (deps: Own, caller: Caller, input: Input, context: CommitContext, facts: Facts) => Script<Output>,
): Run<Input, Output, Own> {
  return (deps, call, input) => {
    const { caller } = call;
    const loaders = () => load(deps, caller, input);
    const body = (context: CommitContext) => loadThen(loaders, (facts) => script(deps, caller, input, context, facts));
    return deps.store.write(caller.tenantId, (now) => commit(deps, call, body, now), loadOf(deps, call, loaders));
  };
}

function* commit<Output>(
  deps: Deps,
  call: Call,
  body: (context: CommitContext) => Script<Output>,
  now: number,
): Script<Answer<Output>> {
  const { caller, contextId } = call;
  // A person may have been let out since the gate was passed; those who let them out believe that it was at once.
  if (caller.kind === 'session') yield* requireStanding(caller, now);
  const stored = yield* openCall<Output>(deps, call, now);
  if (stored !== undefined) return stored;
  const signed: SignedDocument[] = [];
  const output = yield* body({ now, contextId, signed });
  return yield* closeCall(deps, call, output, now, signed);
}

type ReadMethod = 'read' | 'readApart';

/**
 * A use case that only reads, on one snapshot.
 * @param way `readApart` for what may read much
 */
export function inOneRead<Input, Output>(
  script: (deps: Deps, caller: Caller, input: Input, now: number) => Script<Output>,
  way: ReadMethod | ((input: Input, caller: Caller) => ReadMethod) = 'read',
): Run<Input, Output> {
  return (deps, call, input) =>
    deps.store[typeof way === 'string' ? way : way(input, call.caller)]((now) =>
      answer(deps, call, script(deps, call.caller, input, now), now),
    );
}

function* answer<Output>(deps: Deps, call: Call, script: Script<Output>, now: number): Script<Answer<Output>> {
  const output = yield* script;
  return { text: writeReply(deps, call.reply, output, now), output };
}

/** A use case of several reads or commits. It keeps no answer for a repeated request: it only reads, or guards itself. */
export function inSteps<Input, Output>(
  run: (deps: Deps, caller: Caller, input: Input) => Promise<Output>,
): Run<Input, Output> {
  return async (deps, call, input) => {
    const output = await run(deps, call.caller, input);
    return { text: writeReply(deps, call.reply, output, deps.clock()), output };
  };
}

/**
 * Runs one use case from within another, without a gate, and returns what it gave.
 * @throws what the use case throws
 */
export async function call<Input, Output>(
  run: Run<Input, Output>,
  deps: Deps,
  caller: Caller,
  input: Input,
): Promise<Output> {
  const { output } = await run(deps, { caller, reply: { kind: 'output' } }, input);
  return output as Output;
}

/** A loader of each fact. None needs what another one gives. */
export type Loaders<Facts> = { readonly [Name in keyof Facts]: Script<Facts[Name]> };

/** Runs loaders together, and then the script that they load for. @throws what they throw */
export function* loadThen<Facts extends object, Output>(
  loaders: () => Loaders<Facts>,
  script: (facts: Facts) => Script<Output>,
): Script<Output> {
  const named = loaders();
  const names = Object.keys(named) as (keyof Facts)[];
  const values = yield* together(...names.map((name) => named[name]));
  const facts: Partial<Facts> = {};
  for (let index = 0; index < names.length; index++) facts[names[index] as keyof Facts] = values[index] as never;
  return yield* script(facts as Facts);
}

/** What the first commit of a call reads: its stored answer, what the hooks read of it, and what the use case loads. */
export function loadOf({ operations: { hooks } }: Pick<Deps, 'operations'>, call: Call, loaders: () => object): Load {
  return () => [
    ...keysOf(call).map(({ tenantId, scope, key }) => findRequest(tenantId, scope, key)),
    ...hooks.loadsOfCall.flatMap((loads) => loads(call)),
    ...(Object.values(loaders()) as Script<unknown>[]),
  ];
}

/** @param input as the use case's schema gives it */
export async function perform(deps: Deps, name: string, call: Call, input: unknown): Promise<Answer> {
  const useCase = useCaseIn(deps.operations.table, name);
  if (useCase.stepUp === true) requireTouch(call.caller, deps.clock());
  const answer = await useCase.run(deps, call, input);
  const decided = answer.output as DecisionOutput | undefined;
  if (useCase.decides === true && decided !== undefined) {
    deps.metrics.decision(name, decided.allowed === false ? decided.reasonCodes : undefined);
  }
  return answer;
}

/** An answer that was stored before is no new decision: it has no output. */
interface DecisionOutput {
  readonly allowed?: boolean;
  readonly reasonCodes?: readonly string[];
}

/** @throws Fault CONFLICT for a name that the table does not have: what is stored may name one of an extension that is off */
export function useCaseIn(table: OperationTable, name: string): UseCase {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  throw new Fault('CONFLICT', `This node runs without the extension that ${name} is of.`);
}

/**
 * Unknown members are a fault where the schema is closed, and where they misspell a known one: it would be left out in silence.
 * @throws Fault BAD_REQUEST with a detail for each member at fault, as far as they are not too many
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: false });
  const unknown = unknownMembers(schema, input);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const named = new Map(unknown.map((member) => [member.path, detailOf(member)]));
  const issues = parsed.success ? [] : detailsOf(parsed.error, input);
  const told = new Set(issues.map(({ path }) => path));
  const details = [
    ...issues.map((detail) => named.get(detail.path) ?? detail),
    ...[...named.values()].filter(({ path }) => !told.has(path)),
  ];
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new Fault('BAD_REQUEST', `${first?.path || 'The body'}: ${first?.message}${more}`, details);
}

function detailOf({ path, near }: UnknownMember): MemberFault {
  return {
    path,
    message: near === undefined ? 'is not a known member' : `is not a known member; did you mean ${near}?`,
  };
}

/** The members that an input may have, by the names that its schema gives them. */
export function membersOf(schema: z.ZodType): readonly string[] {
  const { def, shape } = schema as z.ZodType & {
    readonly def: { readonly in?: z.ZodType; readonly left?: z.ZodType; readonly right?: z.ZodType };
    readonly shape?: object;
  };
  if (shape !== undefined) return Object.keys(shape);
  return [def.in, def.left, def.right].flatMap((part) => (part === undefined ? [] : membersOf(part)));
}

/**
 * As store.write, with the dependencies that the script has to log with.
 * @param script is given them, and its time in milliseconds since the epoch
 */
export async function writeLogged<T>(
  deps: Deps,
  tenantId: string,
  script: (own: Deps, now: number) => Script<T>,
  load?: Load,
): Promise<T> {
  let lines: (() => void)[] = [];
  const later =
    (say: LogLine): LogLine =>
    (event, facts) =>
      void lines.push(() => say(event, facts));
  const log: Log = { info: later(deps.log.info), warn: later(deps.log.warn), error: later(deps.log.error) };
  const own: Deps = { ...deps, log };
  const logged = (now: number) => {
    lines = [];
    return script(own, now);
  };
  const result = await deps.store.write(tenantId, logged, load);
  for (const say of lines) say();
  return result;
}
