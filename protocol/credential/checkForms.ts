/** Checks a credential in any of its three forms: the node's own, a document with a Data Integrity proof, and a token. */
import { z } from 'zod';
import { checkIntegrity } from './dataIntegrity.ts';
import { canonicalDid } from './did.ts';
import type { Suite } from './ed25519.ts';
import { MandateDocument } from './mandateDocument.ts';
import type { CredentialStatus } from './statusList.ts';
import { checkCredential } from './vc.ts';
import { checkJwt } from './vcJwt.ts';

/** As media types name them: `vc+jwt` is a token, `vc` has a DataIntegrityProof. */
type CredentialForm = 'own' | 'vc' | 'vc+jwt';

interface FormExpectation {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type FormCheck =
  | {
      readonly ok: true;
      readonly form: CredentialForm;
      /** In canonical spelling. */
      readonly issuer: string;
      readonly subject: Readonly<Record<string, unknown>>;
      /** Its place in a status list; the node's own form has none. */
      readonly status: CredentialStatus | undefined;
      /** When it begins and ends to hold, as it says itself. */
      readonly dates: readonly [string, string | undefined];
      /** Whether its time is over, which the caller must consider. */
      readonly expired: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** How far the issuer's clock may run ahead. */
const SKEW_MS = 60_000;

/**
 * @param credential an object, or a token
 * @returns the result, or one sentence naming the check that failed
 */
export function checkForms(suite: Suite, credential: unknown, options: FormExpectation): FormCheck {
  if (typeof credential === 'string') return checkToken(suite, credential, options);
  if (!isDocument(credential)) {
    const check = checkCredential(suite, credential, options);
    if (!check.ok) return check;
    const { issuanceDate, expirationDate, credentialSubject: subject } = check.credential;
    return { ...check, form: 'own', subject, status: undefined, dates: [issuanceDate, expirationDate] };
  }
  const parsed = readDocument(credential, options);
  if ('reason' in parsed) return { ok: false, reason: parsed.reason };
  const { document, expired } = parsed;
  const check = checkIntegrity(suite, credential, document.issuer);
  if (!check.ok) return check;
  return { ok: true, form: 'vc', issuer: canonicalDid(document.issuer), ...saidBy(document), expired };
}

const Secured = z.looseObject({ '@context': z.array(z.string()), validFrom: z.string() });

/** A document of the data model 2.0 has validFrom; the node's own form has issuanceDate. */
function isDocument(credential: unknown): credential is z.infer<typeof Secured> {
  return Secured.safeParse(credential).success;
}

function checkToken(suite: Suite, token: string, options: FormExpectation): FormCheck {
  const check = checkJwt(suite, token);
  if (!check.ok) return check;
  const parsed = readDocument(check.document, options);
  if ('reason' in parsed) return { ok: false, reason: parsed.reason };
  const { document, expired } = parsed;
  return { ok: true, form: 'vc+jwt', issuer: check.issuer, ...saidBy(document), expired };
}

function saidBy({ credentialSubject: subject, credentialStatus: status, validFrom, validUntil }: MandateDocument) {
  return { subject, status, dates: [validFrom, validUntil] as const };
}

type Read = { readonly document: MandateDocument; readonly expired: boolean } | { readonly reason: string };

function readDocument(given: unknown, { type, now }: FormExpectation): Read {
  const parsed = MandateDocument.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { reason: `The credential is malformed at "${issue?.path.join('.')}": ${issue?.message}.` };
  }
  const document = parsed.data;
  if (!document.type.includes(type)) return { reason: `The credential is not of type ${type}.` };
  if (Date.parse(document.validFrom) > now + SKEW_MS)
    return { reason: "The credential's validFrom lies in the future." };
  const { validUntil } = document;
  return { document, expired: validUntil !== undefined && Date.parse(validUntil) <= now };
}
