/** What differs between two JSON values, member by member. */

export interface Difference {
  /** Such as `spend.amount_cap`; empty for the whole. */
  readonly path: string;
  /** Missing where the member is new. */
  readonly before?: unknown;
  /** Missing where the member is gone. */
  readonly after?: unknown;
}

/** Lists are compared as a whole, since the place of a domain or window in one means nothing. */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
