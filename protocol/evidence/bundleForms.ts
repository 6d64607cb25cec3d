/** Verifies the forms of mandates in a portable bundle: those whose hashes the events have, saying what the credential says. */
import { canonical, hashOf, hashText } from '../credential/canonical.ts';
import { checkForms } from '../credential/checkForms.ts';
import type { Suite } from '../credential/ed25519.ts';
import { validFromOf } from '../credential/mandateDocument.ts';
import type { Credential } from '../credential/vc.ts';
import type { PortableBundle, Wrong } from './bundle.ts';
import { type BundleFacts, factsOf, wrong } from './bundleFacts.ts';

const MANDATES = {
  intent: { event: 'INTENT_ISSUED', type: 'IntentMandate' },
  payment: { event: 'PM_ISSUED', type: 'PaymentMandate' },
} as const;

/** @param issuers every DID that the issuer has signed as */
export function verifyForms(suite: Suite, bundle: PortableBundle, issuers: readonly string[]): Wrong {
  for (const name of ['intent', 'payment'] as const) {
    const { vc, 'vc+jwt': token } = bundle.forms?.[name] ?? {};
    const fault =
      (vc && formFault(suite, bundle, issuers, { name, as: 'vc', form: vc, hash: hashOf(suite, vc) })) ??
      (token && formFault(suite, bundle, issuers, { name, as: 'vc+jwt', form: token, hash: hashText(suite, token) }));
    if (fault) return fault;
  }
  return undefined;
}

interface Form {
  readonly name: 'intent' | 'payment';
  readonly as: 'vc' | 'vc+jwt';
  readonly form: Readonly<Record<string, unknown>> | string;
  readonly hash: string;
}

function formFault(suite: Suite, bundle: PortableBundle, issuers: readonly string[], given: Form): Wrong {
  const { name, as, form, hash } = given;
  const { event, type } = MANDATES[name];
  const facts = factsOf(bundle, event);
  const credential = bundle.credentials[name];
  const what = `The ${name} as ${as}`;
  if (recordedHash(facts, as) !== hash) return wrong(`${what} is not the one whose hash the evidence has.`);
  const check = checkForms(suite, form, { type, now: Number.MAX_SAFE_INTEGER });
  if (!check.ok) return wrong(`${what} does not hold: ${check.reason}`);
  if (!issuers.includes(check.issuer)) return wrong(`${what} is by ${check.issuer}.`);
  if (!saysTheSame(check, credential)) return wrong(`${what} says something else than the credential.`);
  const { idx } = (facts?.['status'] ?? {}) as { readonly idx?: unknown };
  if (check.status?.statusListIndex !== String(idx)) {
    return wrong(`${what} has another place in its status list than the evidence says.`);
  }
  return undefined;
}

function recordedHash(facts: BundleFacts, as: Form['as']): unknown {
  return (facts?.['formats'] as Readonly<Record<string, unknown>> | undefined)?.[as];
}

function saysTheSame(
  { subject, dates }: { readonly subject: object; readonly dates: readonly (string | undefined)[] },
  credential: Credential | undefined,
): boolean {
  if (credential === undefined) return false;
  const { credentialSubject, issuanceDate, expirationDate } = credential;
  const [from = '', until] = dates;
  // Forms were once not dated back, and bundles of then are verified still.
  const begins = [validFromOf(credential), issuanceDate].includes(from);
  return begins && until === expirationDate && canonical(subject) === canonical(credentialSubject);
}
