/** Certificates of those who sign mandates (RFC 7515 section 4.1.6, RFC 5280): a root that is trusted, and what leads to it. */
import { createHash, X509Certificate } from 'node:crypto';
import { isSameName, parseDistinguishedName } from '../../protocol/ap2/distinguishedName.ts';
import type { Leaf } from '../../protocol/ap2/mandateIssuer.ts';
import type { PublicJwk } from '../../protocol/jwk/jwk.ts';
import { hasUncheckedLimit, maySign, pathLengthOf, subjectOf } from './certificateExtensions.ts';

interface RootCertificate {
  /** DER as base64. */
  readonly der: string;
  readonly subject: string;
  /** Of the certificate, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/** Certificates above the one that signs, the root left out. */
const MOST_BETWEEN = 3;
const MOST_CHARACTERS = 10_000;

/**
 * @param text PEM, or DER as base64
 * @param at milliseconds since the epoch
 * @returns the certificate, or a sentence that says why it is no root
 */
export function readRoot(text: string, at: number): RootCertificate | { readonly fault: string } {
  const certificate = parse(text);
  if (certificate === undefined) return { fault: 'must be one certificate, as PEM or as base64 of its DER' };
  if (!certificate.ca) return { fault: 'must be the certificate of a certificate authority (basicConstraints CA)' };
  if (!isValidAt(certificate, at)) return { fault: 'must be a certificate that is valid now' };
  if (hasUncheckedLimit(certificate.raw)) {
    return {
      fault:
        'must be limited to no names, and have no critical extension but basicConstraints, keyUsage and subjectAltName',
    };
  }
  return describe(certificate);
}

/** @param der of a root that was read before, as base64 */
export function describeRoot(der: string): RootCertificate {
  return describe(new X509Certificate(Buffer.from(der, 'base64')));
}

function describe(certificate: X509Certificate): RootCertificate {
  return {
    der: certificate.raw.toString('base64'),
    subject: certificate.subject.replaceAll('\n', ', '),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    validUntil: Date.parse(certificate.validTo),
  };
}

/**
 * The key of a certificate that leads to a root: each is signed by the next and names it as its issuer, all but the first are
 * authorities with room for those between, the first may sign, none has a limit that is not checked here, and all are valid at that
 * time. It never throws.
 * @param x5c as a JWS header has it: base64 of DER, the one that signs first
 * @param root DER as base64
 * @param at milliseconds since the epoch
 * @param leaf the one certificate that may be the first; any where it is undefined
 * @returns undefined where it does not lead there, or is no key of P-256
 */
export function keyOfChain(x5c: unknown, root: string, at: number, leaf?: Leaf): PublicJwk | undefined {
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > MOST_BETWEEN + 2) return undefined;
  const given = x5c.map((each) => (typeof each === 'string' ? parse(each) : undefined));
  const anchor = parse(root);
  if (anchor === undefined || given.includes(undefined)) return undefined;
  // The root may be sent along; it is the one that is trusted that counts.
  const below = (given as X509Certificate[]).filter((each) => !each.raw.equals(anchor.raw));
  const [signer] = below;
  if (signer === undefined || below.length > MOST_BETWEEN + 1 || !isLeaf(signer, leaf)) return undefined;
  const chain = [...below, anchor];
  if (!chain.every((each) => isValidAt(each, at) && !hasUncheckedLimit(each.raw))) return undefined;
  const leads = below.every((each, index) => isIssuedBy(each, chain[index + 1] as X509Certificate));
  return leads && maySign(signer.raw) && chain.slice(1).every(hasRoom) ? keyOf(signer) : undefined;
}

/** @param text PEM, or DER as base64 @returns SHA-256 of the certificate, base64url (RFC 7515 section 4.1.8) */
export function hashOfCertificate(text: string): string | undefined {
  const certificate = parse(text);
  return certificate && hashOf(certificate);
}

function hashOf({ raw }: X509Certificate): string {
  return createHash('sha256').update(raw).digest('base64url');
}

function isLeaf(certificate: X509Certificate, leaf: Leaf | undefined): boolean {
  if (leaf === undefined) return true;
  const hash = leaf['x5t#S256'];
  if (hash !== undefined) return hashOf(certificate) === hash;
  const [named, own] = [parseDistinguishedName(leaf.subject ?? ''), subjectOf(certificate.raw)];
  return own !== undefined && !('fault' in named) && isSameName(named, own);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** @param between how many authorities stand between it and the signer (RFC 5280 section 4.2.1.9) */
function hasRoom({ raw }: X509Certificate, between: number): boolean {
  return between <= (pathLengthOf(raw) ?? MOST_BETWEEN);
}

function keyOf({ publicKey }: X509Certificate): PublicJwk | undefined {
  if (publicKey.asymmetricKeyType !== 'ec') return undefined;
  const { crv, x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return crv === 'P-256' ? { kty: 'EC', crv, x, y } : undefined;
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: number): boolean {
  return Date.parse(validFrom) <= at && at <= Date.parse(validTo);
}

function parse(text: string): X509Certificate | undefined {
  if (text.length > 2 * MOST_CHARACTERS) return undefined;
  try {
    return new X509Certificate(text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}
