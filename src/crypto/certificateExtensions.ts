/** What a certificate may be used for (RFC 5280 section 4.2), which node:crypto does not tell: two extensions, out of their DER (X.690). */

const KEY_USAGE = '551d0f';
const BASIC_CONSTRAINTS = '551d13';
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

/** The value of an extension by its OID, in hexadecimal. */
function extensionOf(der: Buffer, oid: string): Element | undefined {
  const [certificate] = elementsIn(der);
  const [signed] = elementsIn(certificate?.content ?? Buffer.alloc(0));
  const [list] = elementsIn(
    elementsIn(signed?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === EXTENSIONS_TAG)?.content ??
      Buffer.alloc(0),
  );
  const parts = elementsIn(list?.content ?? Buffer.alloc(0)).map(({ content }) => elementsIn(content));
  const found = parts.find(([name]) => name?.content.toString('hex') === oid)?.at(-1);
  return found === undefined ? undefined : elementsIn(found.content)[0];
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
