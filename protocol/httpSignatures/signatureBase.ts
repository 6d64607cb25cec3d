/** What is signed of an HTTP message (RFC 9421 section 2), written by the rules of structured fields (RFC 9651). */

/** The parts of a message that a signature may cover. */
interface SignedMessage {
  readonly method: string;
  readonly url: string;
  /** By their names in lower case: as they are sent, or of a dictionary each member as it is written. */
  readonly fields: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Names one part. */
export interface Component {
  /** A derived one such as `@path`, or the name of a field in lower case. */
  readonly name: string;
  /** The member, of a field that is a dictionary. */
  readonly key?: string;
  /** True in the signature of a response, for what its request had. */
  readonly isOfRequest?: true;
}

/** In the order in which they are written. */
export type SignatureParameters = readonly (readonly [name: string, value: number | string])[];

/** The inner list of `Signature-Input`: what is covered, and under which terms. */
export function signatureParams(components: readonly Component[], parameters: SignatureParameters): string {
  const terms = parameters.map(([name, value]) => `;${name}=${typeof value === 'number' ? value : stringItem(value)}`);
  return `(${components.map(identifierOf).join(' ')})${terms.join('')}`;
}

/**
 * The text that is signed (section 2.5).
 * @param params as signatureParams has written them
 * @throws RangeError for a part that the message lacks, or that no header could hold
 */
export function signatureBase(message: SignedMessage, components: readonly Component[], params: string): string {
  const lines = components.map((component) => `${identifierOf(component)}: ${partOf(message, component)}`);
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

/** A string of structured fields. @throws RangeError for one with characters beside printable ASCII */
export function stringItem(text: string): string {
  return `"${printable(text).replaceAll(/["\\]/g, '\\$&')}"`;
}

function identifierOf({ name, key, isOfRequest }: Component): string {
  const ofKey = key === undefined ? '' : `;key=${stringItem(key)}`;
  return `${stringItem(name)}${ofKey}${isOfRequest === true ? ';req' : ''}`;
}

function partOf({ method, url, fields }: SignedMessage, { name, key }: Component): string {
  const { host, pathname, search } = new URL(url);
  switch (name) {
    case '@method':
      return printable(method);
    // In lower case, and without the port that the scheme has anyway.
    case '@authority':
      return host;
    case '@path':
      return pathname;
    case '@query':
      return search === '' ? '?' : search;
  }
  const field = fields[name];
  const value = typeof field === 'object' && key !== undefined ? field[key] : field;
  if (typeof value !== 'string') throw new RangeError(`The message has no ${name} to sign.`);
  return printable(value);
}

/** A line break would begin another line of the base. */
function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  throw new RangeError('Only printable ASCII can be signed.');
}
