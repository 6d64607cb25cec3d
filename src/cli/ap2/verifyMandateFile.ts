/** Verifies a chain of mandates from a file, by the same pure code as a node, and tells what holds hop by hop. */
import { formatMoney } from '../../../protocol/money.ts';
import {
  type MandateVerification,
  VerifyMandate,
  verifyMandateAt,
} from '../../../protocol/sdjwt/mandateVerification.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { detailsOf } from '../../../protocol/wire/issue.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { nativeSignatureCheck } from '../../crypto/nativeJwk.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';
import { facts } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';

interface VerifyOptions {
  readonly key?: string;
  readonly aud?: string;
  readonly nonce?: string;
  readonly checkout?: string;
  readonly checkoutHash?: string;
  readonly checkoutMandate?: string;
  readonly openCheckoutHash?: string;
  readonly merchantKey?: string;
  readonly at?: string;
  readonly json?: boolean;
}

/** @throws WrongUse for a file that holds no chain, or an option that cannot be used */
export function verifyMandateFile(file: string, options: VerifyOptions): void {
  const asked = askedOf(file, options);
  const result = verified(asked);
  print(options, result, [told(result), ...notCompared(asked, result)].join('\n'));
  if (!result.valid) process.exitCode = 1;
}

function verified(asked: VerifyMandate): MandateVerification {
  try {
    return verifyMandateAt(asked, Date.now(), nativeSignatureCheck(nativeSuite()));
  } catch (error) {
    if (error instanceof Fault) throw new WrongUse(error.message);
    throw error;
  }
}

/** What options say goes before what the file says. */
function askedOf(file: string, options: VerifyOptions): VerifyMandate {
  const text = readTextFile(file).trim();
  if (text === '')
    throw new WrongUse(`${file} is empty; it must hold a chain, or the body of POST /ap2/mandates/verify.`);
  const body = text.startsWith('{') ? (parsed(text, file) as object) : { token: text };
  const root = 'token' in body ? body.token : 'l1' in body ? body.l1 : '';
  const { key, checkout, checkoutMandate, merchantKey, at } = options;
  const given = {
    ...body,
    ...compact({
      trustedJwk: key === undefined ? undefined : keyIn(key, kidOf(String(root))),
      aud: options.aud,
      nonce: options.nonce,
      checkoutJwt: checkout === undefined ? undefined : readTextFile(checkout).trim(),
      checkoutJwtHash: options.checkoutHash,
      checkoutMandate: checkoutMandate === undefined ? undefined : readTextFile(checkoutMandate).trim(),
      openCheckoutHash: options.openCheckoutHash,
      merchantJwk: merchantKey === undefined ? undefined : keyIn(merchantKey, undefined),
      at: at === undefined ? undefined : secondsOf(at),
    }),
  };
  const read = VerifyMandate.safeParse(given);
  if (read.success) return read.data;
  const [first] = detailsOf(read.error, given);
  throw new WrongUse(`${file} cannot be verified: ${first?.path} ${first?.message}.`);
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUse(`${file} is neither a chain nor JSON.`);
  }
}

/** A key, or the key of that name in a set; the only one of a set where none has the name. */
function keyIn(file: string, kid: string | undefined): unknown {
  const held = readJsonFile(file);
  const keys = typeof held === 'object' && held !== null && 'keys' in held ? held.keys : undefined;
  if (!Array.isArray(keys)) return held;
  const found =
    keys.find((each: { readonly kid?: string }) => each.kid === kid) ?? (keys.length === 1 ? keys[0] : undefined);
  if (found === undefined) throw new WrongUse(`${file} has no key named ${kid}.`);
  return found;
}

/** The name in the header of the first token, which nothing has verified yet. */
function kidOf(token: string): string | undefined {
  try {
    return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  } catch {
    return undefined;
  }
}

function secondsOf(time: string): number {
  // Date.parse alone takes "-5" for a day in 2001.
  const moment = /^\d{4}-\d\d-\d\d(T|$)/.test(time) ? Date.parse(time) : Number.NaN;
  const seconds = /^\d+$/.test(time) ? Number(time) : Math.floor(moment / 1000);
  if (Number.isNaN(seconds)) throw new WrongUse(`--at ${time} is no time; give one such as 2026-11-21T07:47:41Z.`);
  return seconds;
}

function told(result: MandateVerification): string {
  const { valid, violations, hops } = result;
  const between = violations.filter(({ hop }) => hop === undefined);
  const parts = [
    ...hops.map((hop, index) => hopText(hop, index, result)),
    ...(between.length === 0 ? [] : [`${colour.bold('What it is for')}\n${between.map(faultLine).join('\n')}`]),
    ...(result.content === undefined ? [] : [`${colour.bold('It says')}\n${contentText(result)}`]),
    valid
      ? colour.green('It holds. Whether it was used before, only a ledger knows.')
      : colour.red(`It does not hold: ${inertText(result.reason ?? '')}`),
  ];
  return parts.join('\n\n');
}

/** A chain that holds for any verifier may be for another one. */
function notCompared(
  { aud, nonce, checkoutJwt, checkoutJwtHash, checkoutMandate }: VerifyMandate,
  { kind }: MandateVerification,
): string[] {
  const hasCheckout =
    kind !== 'payment' || [checkoutJwt, checkoutJwtHash, checkoutMandate].some((each) => each !== undefined);
  const names = [
    ...(aud === undefined ? ['aud (--aud)'] : []),
    ...(nonce === undefined ? ['nonce (--nonce)'] : []),
    ...(hasCheckout ? [] : ['the checkout (--checkout, --checkout-hash or --checkout-mandate)']),
  ];
  return names.length === 0 ? [] : [colour.yellow(`Not compared with what you expect: ${names.join(', ')}.`)];
}

type Hop = MandateVerification['hops'][number];
type Violation = MandateVerification['violations'][number];

function hopText(hop: Hop, index: number, { hops, violations }: MandateVerification): string {
  const { layer, vct = 'no mandate', typ, kid, aud, binding, disclosed, hidden, checks } = hop;
  const facts = [
    typ,
    kid === undefined ? undefined : `key ${kid}`,
    aud === undefined ? undefined : `for ${aud}`,
    binding,
    `${disclosed} disclosed`,
    hidden === 0 ? undefined : `${hidden} withheld`,
  ].filter((each) => each !== undefined);
  const holding = checks.filter(({ holds }) => holds).map(({ name }) => name);
  return [
    `${colour.bold(layer ?? `Hop ${index + 1} of ${hops.length}`)}  ${inertText(vct)}  ${colour.dim(inertText(facts.join(', ')))}`,
    ...(holding.length === 0 ? [] : [`${colour.green('✓')} ${holding.join(', ')}`]),
    ...violations.filter((each) => each.hop === index).map(faultLine),
  ].join('\n');
}

function faultLine({ code, detail, clause }: Violation): string {
  return `${colour.red('✗')} ${inertText(detail)} ${colour.dim(`${code}; ${clause}`)}`;
}

function contentText({ kind, content = {}, transactionId, leafJwtHash, limits = [] }: MandateVerification): string {
  const member = (name: string) => (content[name] ?? {}) as Readonly<Record<string, unknown>>;
  const { amount, currency } = member('payment_amount');
  const payee = member('payee');
  const instrument = member('payment_instrument');
  return facts({
    mandate: kind,
    payee: kind === 'payment' ? [payee['name'], payee['website'] ?? payee['id']].filter(Boolean).join(', ') : undefined,
    amount: kind === 'payment' ? formatMoney(Number(amount), String(currency)) : undefined,
    instrument: kind === 'payment' ? String(instrument['description'] ?? instrument['id']) : undefined,
    checkout: transactionId,
    reference: leafJwtHash,
    uses: kind === 'payment' ? usesText(limits) : undefined,
  });
}

function usesText(limits: NonNullable<MandateVerification['limits']>): string {
  if (limits.length === 0) return 'one: a person signed it for this checkout';
  return limits
    .map(({ hop, isSingleUse, recurrence, budget }) => {
      const often = recurrence?.maxOccurrences === undefined ? '' : `, ${recurrence.maxOccurrences} times at most`;
      const most = budget === undefined ? '' : `, ${formatMoney(budget.maxMinor, budget.currency)} in all`;
      const place = limits.length === 1 ? '' : `of hop ${hop + 1}: `;
      return `${place}${isSingleUse ? 'one' : `${recurrence?.frequency}${often}`}${most}`;
    })
    .join('; ');
}
