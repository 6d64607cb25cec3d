/** What a guard is told by its file: the node, who buys, the servers that it stands before, and what their tools cost. */
import { z } from 'zod';
import { Did } from '../../../../protocol/credential/did.ts';
import { GuardName } from '../../../../protocol/guard/guardTools.ts';
import { VendorHints } from '../../../../protocol/intent.ts';
import { Currency } from '../../../../protocol/money.ts';
import { AmountSource, AmountUnit } from './amount.ts';
import { JsonPath } from './jsonPath.ts';

const Scalar = z.union(
  [z.string().min(1), z.number(), z.boolean()],
  'must be a text, a number, true or false, or a list of them',
);
const PathCondition = z
  .record(JsonPath, z.union([Scalar, z.array(Scalar).min(1)]))
  // An empty one would hold for every call and every result.
  .refine((paths) => Object.keys(paths).length > 0, 'must name a path');
/** Paths, and what stands at each of them; letter case is ignored. */
export type PathCondition = z.infer<typeof PathCondition>;

const MERCHANT = /^(\$.*|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*)$/i;
const Merchant = z.string().regex(MERCHANT, 'must be a domain such as shop.example, or a path such as $.shop');

/** What a tool costs, where a call of it is bought. */
const GUARDED = {
  amount: AmountSource.describe(
    'Where the amount stands in the arguments, a constant, or a list of paths that are added.',
  ),
  unit: AmountUnit,
  currency: z
    .union(
      [JsonPath, z.string().toUpperCase().pipe(Currency)],
      'must be a currency such as USD, or a path such as $.currency',
    )
    .describe('A code of ISO 4217, or where it stands in the arguments.'),
  merchant: Merchant.describe('Who is paid: a domain, or where it stands in the arguments.'),
};

export const ToolRule = z
  .strictObject({
    match: z.string().min(1).describe('The name of a tool; `*` stands for any characters.'),
    upstream: z.string().optional().describe('The name of the server; every one when absent.'),
    when: PathCondition.optional().describe('The rule holds for calls whose arguments have all of these.'),
    action: z.enum(['guard', 'forward', 'refuse'], 'must be "guard", "forward" or "refuse"').default('guard'),
    amount: GUARDED.amount.optional(),
    unit: GUARDED.unit.optional(),
    currency: GUARDED.currency.optional(),
    merchant: GUARDED.merchant.optional(),
    mcc: VendorHints.shape.mcc.describe('What is sold, as a code of ISO 18245, for budgets and limits of a category.'),
    country: VendorHints.shape.country.describe('Where it is sold, as a code of ISO 3166.'),
    channel: z.enum(['card', 'wallet', 'bank', 'invoice', 'other']).optional(),
    items: z
      .strictObject({ each: JsonPath, name: JsonPath, price: JsonPath, quantity: JsonPath.optional() })
      .optional()
      .describe('What is bought, as a person is shown it; left out where it does not add up to the amount.'),
    idempotency: JsonPath.optional().describe(
      'Where the arguments name the purchase: the same name is one reservation.',
    ),
    reference: JsonPath.optional().describe(
      'Where the result says what was paid is called; without it nothing counts as paid.',
    ),
    paid: AmountSource.optional().describe('What was paid, in the result; what was reserved when absent.'),
    succeeded: PathCondition.optional().describe('A result counts as paid only with all of these.'),
    failed: z
      .union([PathCondition, z.array(PathCondition).min(1)])
      .optional()
      .describe('A result says that nothing was paid where it has all of these, or of one of a list.'),
    uncertain: PathCondition.optional().describe(
      'A result that has all of these says neither that it was paid nor that it was not.',
    ),
    holds: z
      .boolean()
      .optional()
      .describe('What succeeds is an order: it stays reserved under its reference until another tool pays it.'),
    completes: JsonPath.optional().describe('Where the arguments name an order that `holds` has reserved.'),
    asks_payment: z.boolean().optional().describe('Whether the tool may answer that it wants to be paid (x402, MPP).'),
  })
  .superRefine((rule, context) => {
    if (rule.action !== 'guard') return;
    const needed = rule.completes === undefined ? Object.keys(GUARDED) : ['unit', 'currency'];
    for (const name of [...needed, 'reference'] as (keyof typeof rule)[]) {
      if (rule[name] !== undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is missing: a tool that is guarded needs it (or action = "forward" or "refuse")',
      });
    }
  });
export type ToolRule = z.infer<typeof ToolRule>;

export const PRESETS = ['stripe', 'paypal', 'square'] as const;

const Upstream = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/,
        'must begin with a letter or a digit, and be letters, digits, - and _, at most 40',
      ),
    command: z
      .union([z.string().min(1), z.array(z.string()).min(1)], 'must be a command, or a list of it and its arguments')
      .optional()
      .describe('What starts it over stdio: words, or a list where one has a space.'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .optional()
      .describe('Where it answers over HTTP.'),
    env: z.record(z.string(), z.string()).optional().describe('Variables of its own; "$NAME" is that of the guard.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Sent to its url; "$NAME" in them is a variable of the guard.'),
    preset: z.enum(PRESETS, `must be one of ${PRESETS.join(', ')}`).optional(),
    merchant: Merchant.optional().describe('In place of the merchant of its preset.'),
    currency: z
      .string()
      .toUpperCase()
      .pipe(Currency)
      .optional()
      .describe('Of amounts whose call does not name one, by its preset.'),
  })
  .refine(({ command, url }) => command === undefined || url === undefined, {
    path: ['url'],
    message: 'cannot stand beside command: a server is reached by one of them',
  });
export type Upstream = z.infer<typeof Upstream>;

export const GuardConfig = z.strictObject({
  name: GuardName.optional().describe('What the node calls the guard; made of this machine and the file when absent.'),
  agentDid: Did.describe('Who buys.'),
  principalDid: Did.optional().describe('Whose money it is; the agent’s own when absent.'),
  node: z.strictObject({
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    key: z.string().min(1).optional().describe('A key of the node with the permissions read and write.'),
    env: z.string().min(1).optional().describe('The variable that holds the key; COUNTERSIGN_API_KEY when absent.'),
  }),
  upstream: z
    .array(Upstream)
    .default([])
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must each have another name'),
  tool: z.array(ToolRule).default([]),
  unmatched: z
    .strictObject({
      read_only: z.enum(['forward', 'refuse', 'ask'], 'must be "forward", "refuse" or "ask"').default('forward'),
      other: z.enum(['refuse', 'forward', 'ask'], 'must be "refuse", "forward" or "ask"').default('refuse'),
    })
    .default({ read_only: 'forward', other: 'refuse' }),
});
export type GuardConfig = z.infer<typeof GuardConfig>;
