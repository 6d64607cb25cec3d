/** Members of an input that its schema does not know, where they may be a restriction that its sender believes to have set. */
import type { z } from 'zod';
import { misspelledName, nearestName } from './misspelling.ts';

export interface UnknownMember {
  readonly path: string;
  /** The known member that it was probably meant for. */
  readonly near: string | undefined;
}

type ObjectSchema = z.ZodType & { readonly def: { readonly catchall?: z.ZodType }; readonly shape: Shape };
type Shape = Readonly<Record<string, z.ZodType>>;

/** What a value may be by a schema: objects of several shapes, and lists of several elements. */
interface Parts {
  readonly objects: readonly ObjectSchema[];
  readonly elements: readonly z.ZodType[];
}

/** More of them are not told. */
const MOST_TOLD = 20;

const parts = new WeakMap<z.ZodType, Parts>();

/**
 * The unknown members of an input that is refused for them: each one of an object that is closed, and of one that is open (its
 * unknown members are ignored) those that misspell a known one. Objects of other standards, whose schemas are loose, have none.
 * @param schema of the input @param input as it came
 */
export function unknownMembers(schema: z.ZodType, input: unknown): readonly UnknownMember[] {
  const found: UnknownMember[] = [];
  visit([schema], input, '', found);
  return found;
}

function visit(schemas: readonly z.ZodType[], value: unknown, path: string, found: UnknownMember[]): void {
  if (typeof value !== 'object' || value === null || schemas.length === 0) return;
  if (Array.isArray(value)) {
    const elements = schemas.flatMap((schema) => partsOf(schema).elements);
    if (elements.length === 0) return;
    for (const [at, element] of value.entries()) visit(elements, element, `${path}${at}.`, found);
    return;
  }
  const objects = objectsOf(schemas);
  if (objects.length > 0) visitObject(objects, value as Readonly<Record<string, unknown>>, path, found);
}

function visitObject(
  objects: readonly ObjectSchema[],
  value: Readonly<Record<string, unknown>>,
  path: string,
  found: UnknownMember[],
): void {
  const isLoose = objects.some(({ def }) => def.catchall !== undefined && def.catchall.def.type !== 'never');
  const isClosed = objects.some(({ def }) => def.catchall?.def.type === 'never');
  let known: string[] | undefined;
  for (const name of Object.keys(value)) {
    if (found.length >= MOST_TOLD) return;
    if (hasMember(objects, name)) {
      const member = value[name];
      // Most members have none of their own.
      if (typeof member === 'object') visit(schemasOf(objects, name), member, `${path}${name}.`, found);
      continue;
    }
    if (isLoose) continue;
    known ??= objects.flatMap(({ shape }) => Object.keys(shape));
    const near = misspelledName(name, known, (each) => Object.hasOwn(value, each)) ?? misplacedName(name, objects);
    if (near !== undefined || isClosed) found.push({ path: `${path}${name}`, near: near ?? nearestName(name, known) });
  }
}

function hasMember(objects: readonly ObjectSchema[], name: string): boolean {
  for (const { shape } of objects) if (Object.hasOwn(shape, name)) return true;
  return false;
}

function schemasOf(objects: readonly ObjectSchema[], name: string): z.ZodType[] {
  return objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : []));
}

/** The path of a member further below that a name was meant for: `vendorHints.domain` for a `merchant` beside vendorHints. */
function misplacedName(name: string, objects: readonly ObjectSchema[]): string | undefined {
  for (const { shape } of objects) {
    for (const [holder, schema] of Object.entries(shape)) {
      const inner = partsOf(schema).objects.filter(({ def }) => def.catchall === undefined);
      const known = inner.flatMap((each) => Object.keys(each.shape));
      const near = misspelledName(name, known, () => false) ?? misplacedName(name, inner);
      if (near !== undefined) return `${holder}.${near}`;
    }
  }
  return undefined;
}

function objectsOf(schemas: readonly z.ZodType[]): readonly ObjectSchema[] {
  const [first] = schemas;
  // Nearly always there is one schema, whose list is at hand.
  if (first !== undefined && schemas.length === 1) return partsOf(first).objects;
  return schemas.flatMap((schema) => partsOf(schema).objects);
}

function partsOf(schema: z.ZodType): Parts {
  let known = parts.get(schema);
  if (known === undefined) {
    known = readParts(schema);
    parts.set(schema, known);
  }
  return known;
}

/** The inner schemas of what wraps one, by the names that the library gives them. */
interface WrapperDef {
  readonly type: string;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

function readParts(schema: z.ZodType): Parts {
  const def = schema.def as unknown as WrapperDef;
  if (def.type === 'object') return { objects: [schema as ObjectSchema], elements: [] };
  if (def.type === 'array') return { objects: [], elements: def.element === undefined ? [] : [def.element] };
  const inner = [def.innerType, def.in, def.out, def.left, def.right, ...(def.options ?? [])].filter(
    (each): each is z.ZodType => each !== undefined,
  );
  const all = inner.map(partsOf);
  return { objects: all.flatMap(({ objects }) => objects), elements: all.flatMap(({ elements }) => elements) };
}
