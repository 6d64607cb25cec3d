/** Small changes of a JSON document: every one (a member altered, removed, added, or two elements swapped), or one by choice. */

export interface Mutation {
  /** What was done where, for the message of a failing test. */
  readonly name: string;
  readonly document: Record<string, unknown>;
}

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

export function everyMutation(document: Record<string, unknown>): Mutation[] {
  return pathsOf(document, []).flatMap((path) => mutationsAt(document, path));
}

function pathsOf(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf((value as Container)[key], [...path, key]))];
}

function mutationsAt(document: Record<string, unknown>, path: Path): Mutation[] {
  const value = path.reduce<unknown>((at, key) => (at as Container)[key], document);
  const at = path.join('.');
  const mutations = alternatives(value).map((other, index) => ({
    name: `${at} altered (${index})`,
    document:
      path.length === 0
        ? (other as Record<string, unknown>)
        : changed(document, path, (held, key) => {
            held[key] = other;
          }),
  }));
  if (path.length === 0) return mutations;
  const removed = changed(document, path, (held, key) => {
    if (Array.isArray(held)) held.splice(Number(key), 1);
    else delete held[key];
  });
  return [...mutations, { name: `${at} removed`, document: removed }];
}

function changed(
  document: Record<string, unknown>,
  path: Path,
  change: (held: Container, key: string | number) => void,
) {
  const copy = structuredClone(document);
  const held = path.slice(0, -1).reduce<unknown>((at, key) => (at as Container)[key], copy) as Container;
  change(held, path.at(-1) ?? '');
  return copy;
}

/** Values that differ from this one, each in a way that JSON keeps. */
function alternatives(value: unknown): unknown[] {
  if (typeof value === 'string')
    return [`${value} `, value.slice(1) || 'x', `${value.slice(0, -1)}\u0000`, null, [value]];
  if (typeof value === 'number') return [value + 1, -value, String(value), value + 0.01];
  if (typeof value === 'boolean') return [!value, String(value), value ? 1 : 0];
  if (value === null) return ['null', false, {}];
  if (Array.isArray(value)) return [[...value, null], value.length > 1 ? [...value].reverse() : [[]], { ...value }];
  return [{ ...(value as object), extra: null }];
}

/** Changes, in place, the member that a way of choices leads to; takes it away where the value is undefined. */
export function changeAt(document: object, way: readonly number[], value: unknown): void {
  let held = document as Container;
  for (const [depth, choice] of way.entries()) {
    const keys = Object.keys(held);
    if (keys.length === 0) return;
    const key = keys[choice % keys.length] as string;
    const next = held[key];
    if (depth < way.length - 1 && typeof next === 'object' && next !== null) held = next as Container;
    else {
      if (value === undefined) delete held[key];
      else held[key] = value;
      return;
    }
  }
}
