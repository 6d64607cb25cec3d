/** Addresses within the console: the part behind `#`, such as `#/payments?status=CAPTURED`. */

export interface ScreenRoute {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function placeOf(hash: string): ScreenRoute {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return { path: `/${path.split('/').filter(Boolean).join('/')}`, query: new URLSearchParams(query) };
}

/** @param query members without a value are left out */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `#${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** A link that an attacker sends must not have the user's browser load without end. */
const MOST_PAGES = 100;

/** How many pages of a list are shown: one, unless the address says more. */
export function pagesIn(query: URLSearchParams): number {
  return Math.min(MOST_PAGES, Math.max(1, Math.floor(Number(query.get('pages'))) || 1));
}

/** What a list shows, however many pages of it. */
export function listedIn(query: URLSearchParams): string {
  return new URLSearchParams([...query].filter(([name]) => name !== 'pages')).toString();
}

/** @returns what the names in the pattern stand for in the path; undefined where it is another path */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] as string;
    if (part.startsWith(':')) params[part.slice(1)] = decoded(text);
    else if (part !== text) return undefined;
  }
  return params;
}

/** An address may come from an attacker; one that is not well encoded names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
