/** What the members of mandates mean to processors of JSON-LD. */

/** Where a node serves the terms of mandates, below its public address. */
export const MANDATES_CONTEXT_PATH = '/contexts/mandates/v1.jsonld';

const TERMS = 'urn:countersign:mandates:v1:';
const NAMES = [
  'IntentMandate',
  'PaymentMandate',
  'mandateId',
  'intentId',
  'agentDid',
  'principalDid',
  'amount',
  'maxAmount',
  'currency',
  'merchant',
  'merchantDomain',
  'rail',
  'cartHash',
  'expiresAt',
] as const;
const IDENTIFIERS: ReadonlySet<string> = new Set(['agentDid', 'principalDid']);

/** The terms of mandates for JSON-LD processors. They never change: a new member is a new version at another address. */
export const MANDATES_CONTEXT = {
  '@context': {
    '@version': 1.1,
    '@protected': true,
    ...Object.fromEntries(
      NAMES.map((name) => [name, IDENTIFIERS.has(name) ? { '@id': TERMS + name, '@type': '@id' } : TERMS + name]),
    ),
  },
} as const;
