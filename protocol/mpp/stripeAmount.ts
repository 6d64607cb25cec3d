/**
 * Amounts as Stripe counts them. Mostly these are ISO 4217 minor units; the exceptions are Stripe's own
 * (https://docs.stripe.com/currencies, "Special cases").
 */
import { exponentOf, formatMoney } from '../money.ts';

/** The currencies of ISO 4217 that Stripe can charge. */
const CHARGEABLE = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP ' +
    'CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD ' +
    'JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN ' +
    'NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD ' +
    'SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/**
 * Decimals where Stripe differs from ISO 4217. ISK and UGX lost their decimals and are still written with two zeros;
 * the ariary (MGA) has fifths, which Stripe does not use. HUF and TWD are charged with two decimals as in ISO 4217;
 * that payouts use whole units does not concern a payment.
 */
const OWN_EXPONENTS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

type StripeAmount = { readonly amount: number } | { readonly refused: string };

/**
 * @param minor ISO 4217 minor units
 * @returns the amount to send to Stripe, or one sentence why it cannot be charged
 */
export function toStripeAmount(minor: number, currency: string): StripeAmount {
  if (!CHARGEABLE.has(currency)) return { refused: `Stripe cannot charge ${currency}.` };
  const shift = stripeExponent(currency) - exponentOf(currency);
  const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift;
  if (!Number.isInteger(amount)) {
    return { refused: `Stripe charges ${currency} in whole units, and ${formatMoney(minor, currency)} is not whole.` };
  }
  if (stripeExponent(currency) === 3 && amount % 10 !== 0) {
    const sentence = `Stripe charges ${currency} with a 0 as the third decimal`;
    return { refused: `${sentence}, which ${formatMoney(minor, currency)} does not have.` };
  }
  if (!Number.isSafeInteger(amount)) return { refused: `${formatMoney(minor, currency)} is too much for Stripe.` };
  return { amount };
}

/** @returns ISO 4217 minor units of an amount from Stripe */
export function fromStripeAmount(amount: number, currency: string): number {
  const shift = stripeExponent(currency) - exponentOf(currency);
  return shift >= 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift;
}

function stripeExponent(currency: string): number {
  return OWN_EXPONENTS[currency] ?? exponentOf(currency);
}
