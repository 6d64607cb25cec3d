/** What node:crypto does not tell of a certificate (RFC 5280), out of its DER (X.690): its extensions, and its subject by attributes. */
import type { DistinguishedName } from '../../protocol/ap2/distinguishedName.ts';

const KEY_USAGE = '551d0f';
const BASIC_CONSTRAINTS = '551d13';
const NAME_CONSTRAINTS = '551d1e';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
/** What is checked here, or is a name, of which none counts. */
const UNDERSTOOD = [KEY_USAGE, BASIC_CONSTRAINTS, SUBJECT_ALTERNATIVE_NAME];
const BOOLEAN_TAG = 0x01;
const EXTENSIONS_TAG = 0xa3;
const INTEGER_TAG = 0x02;
const DIGITAL_SIGNATURE = 0x80;

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** @param der of a certificate that node:crypto has read. @returns whether its key may sign what is no certificate: also where it does not say */
export function maySign(der: Buffer): boolean {
  const usage = extensionOf(der, KEY_USAGE);
  // A BIT STRING: how many of its last bits are unused, then the bits.
  return usage === undefined || ((usage.content[1] ?? 0) & DIGITAL_SIGNATURE) !== 0;
}

/** @returns how many authorities may stand between this one and the signer; undefined where it does not say */
export function pathLengthOf(der: Buffer): number | undefined {
  const constraints = extensionOf(der, BASIC_CONSTRAINTS);
  const length = elementsIn(constraints?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === INTEGER_TAG);
  return length === undefined ? undefined : Number(`0x${length.content.toString('hex')}`);
}

/** @returns the attributes of its subject; undefined where one is no text */
export function subjectOf(der: Buffer): DistinguishedName | undefined {
  const [certificate] = elementsIn(der);
  const [signed] = elementsIn(certificate?.content ?? Buffer.alloc(0));
  const parts = elementsIn(signed?.content ?? Buffer.alloc(0));
  // Serial number, algorithm, issuer, validity, subject; before them the version, where it is not the first one.
  const subject = parts[parts[0]?.tag === VERSION_TAG ? 5 : 4];
  const attributes = elementsIn(subject?.content ?? Buffer.alloc(0))
    .flatMap(({ content }) => elementsIn(content))
    .map(({ content }) => {
      const [type, value] = elementsIn(content);
      const text = value && TEXT_TAGS.has(value.tag) ? value.content.toString('utf8') : undefined;
      return type === undefined || text === undefined ? undefined : { type: oidOf(type.content), value: text };
    });
  const read = attributes.filter((each) => each !== undefined);
  return read.length === attributes.length ? read : undefined;
}

/** UTF8String, PrintableString and IA5String. */
const TEXT_TAGS = new Set([0x0c, 0x13, 0x16]);
const VERSION_TAG = 0xa0;

/** X.690 section 8.19: the first two arcs are one number. */
function oidOf(bytes: Buffer): string {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of bytes) {
    arc = arc * 128n + BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [first = 0n, ...rest] = arcs;
  const root = first >= 80n ? 2n : first / 40n;
  return [root, first - root * 40n, ...rest].join('.');
}

/**
 * Whether a certificate is limited in a way that is not checked here: by a critical extension that is not understood (RFC 5280 section
 * 4.2), or to names, also where that is not marked critical, as it must be (section 4.2.1.10).
 */
export function hasUncheckedLimit(der: Buffer): boolean {
  return extensionsOf(der).some((parts) => {
    const name = parts[0]?.content.toString('hex') ?? '';
    if (name === NAME_CONSTRAINTS) return true;
    const isCritical = parts[1]?.tag === BOOLEAN_TAG && parts[1].content[0] !== 0;
    return isCritical && !UNDERSTOOD.includes(name);
  });
}

/** The value of an extension by its OID, in hexadecimal. */
function extensionOf(der: Buffer, oid: string): Element | undefined {
  const found = extensionsOf(der)
    .find(([name]) => name?.content.toString('hex') === oid)
    ?.at(-1);
  return found === undefined ? undefined : elementsIn(found.content)[0];
}

/** The parts of each extension: its OID, whether it is critical where it says so, and its value. */
function extensionsOf(der: Buffer): Element[][] {
  const [certificate] = elementsIn(der);
  const [signed] = elementsIn(certificate?.content ?? Buffer.alloc(0));
  const [list] = elementsIn(
    elementsIn(signed?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === EXTENSIONS_TAG)?.content ??
      Buffer.alloc(0),
  );
  return elementsIn(list?.content ?? Buffer.alloc(0)).map(({ content }) => elementsIn(content));
}

/** The elements of a SEQUENCE, one after the other. */
function elementsIn(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at + 1 < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const more = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + more;
    const size = more === 0 ? first : Number(`0x${bytes.subarray(at + 2, start).toString('hex')}`);
    elements.push({ tag, content: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return elements;
}
