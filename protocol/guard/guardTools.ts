/** What a guard tells a node of the tools that it stands before, and what a person accepts of them. Shapes, and their text. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { compact } from '../wire/compact.ts';
import { PageRequest } from '../wire/page.ts';

/** The tools whose whole text a guard tells, in characters: with the rest they stay within what a gate takes. */
export const MOST_DEFINITION = 16_000;
export const MOST_DEFINITIONS = 120_000;
export const MOST_GUARD_TOOLS = 300;
const MOST_SERVERS = 20;

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');
const ServerName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be letters, digits, - and _, at most 40')
  .describe('What the guard calls the server.');
const ToolName = z.string().min(1).max(200).describe('As its server names it.');
export const GuardName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/,
    'must begin with a letter or a digit, and be letters, digits, ., - and _, at most 60',
  );

const ToolReport = z.strictObject({
  name: ToolName,
  title: z.string().max(200).optional().describe('What its server calls it for people.'),
  readOnly: z.boolean().describe('Whether it only reads, as far as the guard believes it.'),
  action: z
    .enum(['reserve', 'forward', 'refuse', 'ask'])
    .describe(
      'What the rules do with a call: reserve its amount first, forward it, refuse it, or ask the person at the host.',
    ),
  rules: z.string().max(300).optional().describe('The same in words, with each rule that may hold.'),
  hash: Hash.describe('SHA-256 of all that a model is told of it; where it is gone, of what was accepted.'),
  change: z
    .enum(['added', 'changed', 'gone'])
    .optional()
    .describe('How it differs from what a person accepted; absent where it does not.'),
  definition: z
    .string()
    .max(MOST_DEFINITION)
    .optional()
    .describe(
      'All that a model is told of it, as the text (RFC 8785) whose hash `hash` is. A tool is accepted here only with it.',
    ),
  accepted: z
    .string()
    .max(MOST_DEFINITION)
    .optional()
    .describe(
      'Of a tool that changed: all that a model was told of it when it was accepted, as its guard keeps it. People are shown the difference.',
    ),
});
type ToolReport = z.infer<typeof ToolReport>;

/** Whether no name stands there twice. */
function named(list: readonly { readonly name: string }[]): boolean {
  return new Set(list.map(({ name }) => name)).size === list.length;
}

export const TellGuard = z.strictObject({
  name: GuardName.describe('What the guard is called, once for each agent.'),
  agentDid: Did,
  servers: z
    .array(
      z.strictObject({
        name: ServerName,
        tools: z.array(ToolReport).max(MOST_GUARD_TOOLS).refine(named, 'must each have another name'),
      }),
    )
    .max(MOST_SERVERS)
    .refine(named, 'must each have another name')
    .refine(
      (servers) => servers.flatMap(({ tools }) => tools).length <= MOST_GUARD_TOOLS,
      `must have ${MOST_GUARD_TOOLS} tools together at most`,
    ),
});
export type TellGuard = z.output<typeof TellGuard>;

export const ListGuards = PageRequest.extend({ agentDid: Did.optional() });

export const AcceptTools = z.strictObject({
  id: z.string(),
  server: ServerName.describe('The server that lists them, as the guard calls it.'),
  tools: z
    .array(z.strictObject({ name: ToolName, hash: Hash.describe('Of what was looked at.') }))
    .min(1)
    .max(MOST_GUARD_TOOLS)
    .refine(named, 'must each have another name'),
});
export type AcceptTools = z.output<typeof AcceptTools>;

/** As it is kept. */
export const GuardToolRecord = ToolReport.extend({
  acceptance: z
    .object({ at: z.string(), userId: z.string().optional().describe('Who; absent for the operator.') })
    .optional()
    .describe('A person accepted it as it is; the guard has not taken that up yet.'),
});
export type GuardToolRecord = z.infer<typeof GuardToolRecord>;

export interface GuardServerRecord {
  readonly name: string;
  readonly tools: readonly GuardToolRecord[];
}

const GuardTool = GuardToolRecord.extend({
  description: z
    .string()
    .optional()
    .describe('What its server tells models of it, where the guard told its definition.'),
  waits: z.boolean().describe('Whether a person has to look: until then it is not called.'),
});

const About = {
  id: z.string(),
  name: z.string().describe('What the guard is called.'),
  agentDid: z.string(),
  waiting: z.int().nonnegative().describe('How many tools a person has to look at.'),
  createdAt: z.string(),
  toldAt: z.string().describe('When it told of its tools last.'),
};

export const Guard = z.object({
  ...About,
  servers: z.array(z.object({ name: z.string(), tools: z.array(GuardTool) })),
});
export type Guard = z.infer<typeof Guard>;

export const GuardSummary = z.object({
  ...About,
  servers: z.array(z.object({ name: z.string(), tools: z.int().nonnegative(), waiting: z.int().nonnegative() })),
});
export type GuardSummary = z.infer<typeof GuardSummary>;

/** Whether a person has to look at a tool; one that is gone is not called in any case. */
export function waits({ change, acceptance }: Pick<GuardToolRecord, 'acceptance' | 'change'>): boolean {
  return (change === 'added' || change === 'changed') && acceptance === undefined;
}

export function waitingOf(servers: readonly GuardServerRecord[]): GuardToolRecord[] {
  return servers.flatMap(({ tools }) => tools.filter(waits));
}

/** What is kept of a report: an acceptance stays with a tool that is as it was when it was accepted, and has not been taken up. */
export function mergeReport(told: TellGuard['servers'], kept: readonly GuardServerRecord[]): GuardServerRecord[] {
  return told.map(({ name, tools }) => {
    const before = new Map(kept.find((server) => server.name === name)?.tools.map((tool) => [tool.name, tool]));
    return {
      name,
      tools: tools.map((tool): GuardToolRecord => {
        const former = before.get(tool.name);
        const isSame = waits(tool) && former?.hash === tool.hash;
        return compact({ ...tool, acceptance: isSame ? former.acceptance : undefined });
      }),
    };
  });
}

/** @param tool with all that a model is told of it @returns what it says of itself in words */
export function descriptionOf({ definition }: Pick<ToolReport, 'definition'>): string | undefined {
  if (definition === undefined) return undefined;
  const { description } = JSON.parse(definition) as { readonly description?: unknown };
  return typeof description === 'string' ? description : undefined;
}
