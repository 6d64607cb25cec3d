/** Instruments: the payment methods of an agent or its principal, by their names at the rail, never card numbers. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { PageRequest } from './wire/page.ts';

/** Digits in groups, as a card's number is printed or typed. */
const GROUPS = /\d+(?:[\s.+\-\u2010-\u2015]{1,3}\d+)*/g;

/** How the numbers of cards begin, and how long they are, by scheme (ISO/IEC 7812-1). Numbers of orders are as long. */
const SCHEMES = [
  /^4\d{12}(?:\d{3}){0,2}$/, // Visa
  /^(?=\d{16}$)(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-5]|095|[689])\d{11,16}$/, // Diners Club
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^(?:5[06-9]|6|8[12])\d{11,18}$/, // Maestro, Discover, UnionPay, RuPay
  /^(?:220[0-5]|8600|9051|9112|9704|9792|9860)\d{12,15}$/, // Mir, BORICA, Uzcard, ArCa, Belkart, Napas, Troy, Humo
  /^1\d{14}$/, // UATP
];

const SHORTEST = 12;
const LONGEST = 19;

interface CardNumber {
  readonly from: number;
  readonly to: number;
}

/** Text holds a card's number where whole groups of its digits are one. Other digits may stand beside them, such as the card's end. */
export function holdsCardNumber(text: string): boolean {
  return cardNumbersIn(plainDigits(text)).length > 0;
}

/** The text keeps the last four digits of what looks like a card's number, and holds no such number afterwards. */
export function withoutCardNumbers(text: string): string {
  const plain = plainDigits(text);
  const found = cardNumbersIn(plain);
  if (found.length === 0) return text;
  let shown = '';
  let done = 0;
  for (const { from, to } of found) {
    shown += `${plain.slice(done, from)}…${plain.slice(to - 4, to)}`;
    done = to;
  }
  // The four digits that are left may begin another number with those behind them.
  return withoutCardNumbers(shown + plain.slice(done));
}

/** Digits of other scripts' widths become ASCII ones, and the blanks of an address's query become blanks. */
function plainDigits(text: string): string {
  return text.normalize('NFKC').replaceAll('%20', ' ');
}

/** The numbers stand in their order, none within another. */
function cardNumbersIn(text: string): readonly CardNumber[] {
  return [...text.matchAll(GROUPS)].flatMap(({ 0: run, index }) => cardNumbersInRun(run, index));
}

function cardNumbersInRun(run: string, start: number): readonly CardNumber[] {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, from: start + index }));
  const found: CardNumber[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < LONGEST; last++) {
      const group = groups[last] as (typeof groups)[number];
      digits += group.digits;
      if (digits.length < SHORTEST || !isCardNumber(digits)) continue;
      found.push({ from: (groups[first] as (typeof groups)[number]).from, to: group.from + group.digits.length });
      first = last;
      break;
    }
  }
  return found;
}

function isCardNumber(digits: string): boolean {
  return SCHEMES.some((scheme) => scheme.test(digits)) && isLuhn(digits);
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
