/**
 * Where a value stands in a call or its result: `$.a.b[0].c`, `$['a b']`, and `[*]` for every element. A part of RFC 9535 without
 * filters, slices and descendants, since an amount must stand at one known place.
 */
import { z } from 'zod';

type Step = string | number | '*';
/** Of a longer value a pattern is asked of its beginning: it takes the square of that. */
const MOST_CHARACTERS = 5_000;
const EVERY = Symbol('every element');

interface JsonPathSteps {
  readonly steps: readonly (string | number | typeof EVERY)[];
}

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]|\[\*\]|\['([^'\\]+)'\]|\["([^"\\]+)"\]/y;

/** @returns undefined for a text that is no such path */
export function parsePath(text: string): JsonPathSteps | undefined {
  if (!text.startsWith('$')) return undefined;
  const steps: (string | number | typeof EVERY)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (found === null) return undefined;
    const name: Step | undefined = found[1] ?? found[3] ?? found[4];
    steps.push(name ?? (found[2] === undefined ? EVERY : Number(found[2])));
  }
  return { steps };
}

export const JsonPath = z
  .string()
  .refine((text) => parsePath(text) !== undefined, 'must be a path such as $.amount, $.items[0].price or $.items[*]');

const parsed = new Map<string, JsonPathSteps>();

function stepsOf(path: string): JsonPathSteps['steps'] {
  const known = parsed.get(path) ?? parsePath(path);
  if (known === undefined) throw new TypeError(`${path} is no path.`);
  parsed.set(path, known);
  return known.steps;
}

/** Every value that stands there; what an object inherits is not of it. */
export function valuesAt(document: unknown, path: string): unknown[] {
  let values = [document];
  for (const step of stepsOf(path)) values = values.flatMap((value) => below(value, step));
  return values;
}

function below(value: unknown, step: string | number | typeof EVERY): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === EVERY) return Array.isArray(value) ? value : [];
  if (Array.isArray(value) !== (typeof step === 'number')) return [];
  return Object.hasOwn(value, step) ? [(value as Record<string | number, unknown>)[step]] : [];
}

/** @returns undefined where nothing stands there, null does, or more than one value */
export function valueAt(document: unknown, path: string): unknown {
  const values = valuesAt(document, path);
  return values.length === 1 ? (values[0] ?? undefined) : undefined;
}

/** A text or a number as text; nothing else names something. */
export function textAt(document: unknown, path: string): string | undefined {
  const value = valueAt(document, path);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether what stands there is one of these, letter case ignored; `*` and `?` stand for any characters and any one. */
export function isOneOf(document: unknown, path: string, patterns: readonly (string | number | boolean)[]): boolean {
  const values = valuesAt(document, path);
  return values.some((value) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
    const text = String(value).slice(0, MOST_CHARACTERS);
    return patterns.some((pattern) => globOf(String(pattern)).test(text));
  });
}

const globs = new Map<string, RegExp>();

/** @param glob with `*` for any characters and `?` for any one */
export function globOf(glob: string): RegExp {
  const known = globs.get(glob);
  if (known !== undefined) return known;
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const made = new RegExp(`^${source}$`, 'is');
  globs.set(glob, made);
  return made;
}
