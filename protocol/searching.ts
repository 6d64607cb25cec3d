/** Searching for anything by its id, its name or its amount: schemas. */
import { z } from 'zod';
import { Currency } from './money.ts';

export const SearchRequest = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('An id or the beginning of one, a name, a domain, or an amount such as `42.50` or `42.50 USD`.'),
  limit: z.coerce.number<number>().int().min(1).max(20).default(5).describe('How many of each kind, 1 to 20.'),
});
export type SearchRequest = z.output<typeof SearchRequest>;

const SEARCH_KINDS = ['agent', 'payment', 'intent', 'merchant', 'principal', 'webhook'] as const;

export const SearchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string().describe('The DID of an agent, or of whose money it is; the domain of a merchant, else the id.'),
  label: z.string().describe('What it is, for a person.'),
  transactionId: z
    .string()
    .optional()
    .describe('Of a payment and an intent: what its decisions and its evidence are asked for by.'),
  status: z.string().optional().describe('Its status, where it has one.'),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchResult = z.object({ hits: z.array(SearchHit).describe('What was found, kind by kind.') });
export type SearchResult = z.infer<typeof SearchResult>;

const AMOUNT = /^(\d{1,15}(?:\.\d{1,4})?)(?: ?([a-z]{3}))?$/i;

/** Reads `42.50` and `42.50 USD`; undefined for any other text. */
export function amountIn(text: string): { readonly amount: number; readonly currency: string | undefined } | undefined {
  const [, amount, code] = AMOUNT.exec(text) ?? [];
  if (amount === undefined) return undefined;
  if (code === undefined) return { amount: Number(amount), currency: undefined };
  const currency = Currency.safeParse(code.toUpperCase());
  return currency.success ? { amount: Number(amount), currency: currency.data } : undefined;
}
