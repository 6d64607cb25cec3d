/** The subject of a certificate, as text (RFC 4514) and as attributes that are compared one by one. */

interface NameAttribute {
  /** OID in dotted form. */
  readonly type: string;
  readonly value: string;
}

export type DistinguishedName = readonly NameAttribute[];

/** Keywords of RFC 4514 section 3, and others that certificates of people and wallets have. */
const OIDS: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  TITLE: '2.5.4.12',
  GN: '2.5.4.42',
  GIVENNAME: '2.5.4.42',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
};

const MOST_ATTRIBUTES = 20;
const DOTTED = /^[0-2](?:\.(?:0|[1-9]\d*))+$/;
/** One attribute up to its separator: a type, and a value whose special characters are escaped. */
const ATTRIBUTE = /^\s*([\w.-]+)\s*=\s*((?:\\[0-9A-Fa-f]{2}|\\[^0-9A-Fa-f]|[^\\,+;"<>])*?)\s*(?:([,+])|$)/;

/** @returns the attributes, or what is wrong with the text, to follow its name */
export function parseDistinguishedName(text: string): DistinguishedName | { readonly fault: string } {
  const attributes: NameAttribute[] = [];
  for (let rest = text; ; ) {
    const found = ATTRIBUTE.exec(rest);
    const [all = '', keyword = '', escaped = '', separator] = found ?? [];
    const type = OIDS[keyword.toUpperCase()] ?? (DOTTED.test(keyword) ? keyword : undefined);
    if (found === null || escaped === '' || escaped.startsWith('#')) {
      return {
        fault: `must be a subject as RFC 4514 writes it, such as CN=Ada Lovelace,O=Bank; not at “${rest.slice(0, 40)}”`,
      };
    }
    if (type === undefined)
      return { fault: `names the attribute ${keyword}, which is not known here: write it as an OID` };
    const value = unescaped(escaped);
    if (value === undefined) return { fault: `has a value that is no UTF-8: ${escaped.slice(0, 40)}` };
    attributes.push({ type, value });
    if (attributes.length > MOST_ATTRIBUTES) return { fault: `has more than ${MOST_ATTRIBUTES} attributes` };
    if (separator === undefined) return attributes;
    rest = rest.slice(all.length);
  }
}

function unescaped(text: string): string | undefined {
  const bytes: number[] = [];
  for (const [part] of text.matchAll(/\\[0-9A-Fa-f]{2}|\\[\s\S]|[^\\]+/g)) {
    if (/^\\[0-9A-Fa-f]{2}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part.startsWith('\\') ? part.slice(1) : part));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
}

/** Whether two names have the same attributes, each as often: programs write them in either order. */
export function isSameName(one: DistinguishedName, other: DistinguishedName): boolean {
  const sorted = (name: DistinguishedName) => name.map(({ type, value }) => `${type}=${value}`).sort();
  const [first, second] = [sorted(one), sorted(other)];
  return first.length > 0 && first.length === second.length && first.every((each, index) => each === second[index]);
}
