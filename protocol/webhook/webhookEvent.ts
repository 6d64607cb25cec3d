/**
 * What one type of webhook events consists of. An event is one entry in the file of its noun in events/; schemas, examples, the
 * lists of the console and the command line and the page on webhooks derive from these.
 */
import { z } from 'zod';
import type { EvidenceType } from '../evidence/eventTypes.ts';

/** The agent, principal and intent of an event, where it has them. */
export const WebhookContext = z.object({
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  intentId: z.string().optional(),
});
export type WebhookContext = z.infer<typeof WebhookContext>;

/** The data of an evidence event. */
export type Facts = Readonly<Record<string, unknown>>;

interface Entry<Type extends string, Data extends z.ZodObject> {
  readonly type: Type;
  /** The type of evidence events that it has the meaning of. `policy.violation` is told beside others. */
  readonly evidence?: EvidenceType;
  /** What the console calls it. */
  readonly name: string;
  /** Its section of the page on webhooks, in Markdown. */
  readonly docs: string;
  readonly data: Data;
  /** @param createdAt of the evidence, ISO 8601 @param baseUrl the node's public address, for links to its pages */
  dataOf?(facts: Facts, createdAt: string, baseUrl: string): z.output<Data>;
  readonly example: z.output<Data>;
  /** Of the example; that of a purchase when absent. */
  readonly context?: WebhookContext;
}

export function webhookEvent<const Type extends string, Data extends z.ZodObject>(
  entry: Entry<Type, Data>,
): Entry<Type, Data> {
  return entry;
}

/** The named members that exist. They have the types that the event says: tests check them against its schema. */
export function pick<Name extends string>(facts: Facts, ...names: readonly Name[]): Readonly<Record<Name, never>> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (facts[name] !== undefined) picked[name] = facts[name];
  return picked as Record<Name, never>;
}
