/** Instruments: the payment methods of an agent or its principal, by their names at the rail, never card numbers. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { PageRequest } from './wire/page.ts';

const DIGIT_RUN = /\d(?:[ -]?\d){11,18}/g;

/** True for text that holds 12 to 19 digits with the check digit of a card number (ISO/IEC 7812-1, Luhn). */
export function holdsCardNumber(text: string): boolean {
  return (text.match(DIGIT_RUN) ?? []).some((run) => isLuhn(run.replace(/[ -]/g, '')));
}

/** Text in which of what looks like a card number the last four digits are left. */
export function withoutCardNumbers(text: string): string {
  return text.replace(DIGIT_RUN, (run) => (isLuhn(run.replace(/[ -]/g, '')) ? `…${run.slice(-4)}` : run));
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A name at the rail, such as `pm_1Q…` or `cus_R…`. */
export const RailName = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (text) => !holdsCardNumber(text),
    'looks like a card number, which must never come here; give the name that the rail has for the payment method',
  );

export const AddInstrument = z
  .strictObject({
    agentDid: Did.optional(),
    principalDid: Did.optional(),
    paymentMethod: RailName.describe('The payment method by its name at the rail, such as pm_1Q….'),
    customer: RailName.optional().describe('Whose it is, by the name at the rail, such as cus_R….'),
  })
  .refine(
    ({ agentDid, principalDid }) => (agentDid === undefined) !== (principalDid === undefined),
    'must name either agentDid or principalDid',
  );
export type AddInstrument = z.output<typeof AddInstrument>;

export const ListInstruments = PageRequest.extend({
  agentDid: Did.optional(),
  principalDid: Did.optional(),
}).refine(
  ({ agentDid, principalDid }) => agentDid === undefined || principalDid === undefined,
  'must not name both agentDid and principalDid',
);
export type ListInstruments = z.output<typeof ListInstruments>;

export const Instrument = z.object({
  id: z.string(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  paymentMethod: z.string().describe('The payment method by its name at the rail.'),
  customer: z.string().optional().describe('Whose it is, by the name at the rail.'),
  createdAt: z.string(),
});
export type Instrument = z.infer<typeof Instrument>;
