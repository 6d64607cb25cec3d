/** The fields of a form, made from a schema: a rule that the schema gains is in the form without more. */
import type { z } from 'zod';

interface Named {
  /** From the policy on, such as `spend.amount_cap`; of what is in a list of entries, without the entry's number. */
  readonly path: string;
}

export interface Group extends Named {
  readonly kind: 'group';
  readonly fields: readonly FormField[];
}

/** A list of things that each have members of their own. */
export interface Entries extends Named {
  readonly kind: 'entries';
  readonly fields: readonly FormField[];
}

export interface Single extends Named {
  /** lines: a list of texts, one in each line; several: a list of some of the options. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'lines' | 'several';
  readonly options: readonly string[];
}

export type FormField = Group | Entries | Single;

/** As much of a schema as a form is made from. */
interface Shaped {
  readonly def: { readonly type: string; readonly innerType?: Shaped; readonly element?: Shaped };
  readonly shape?: Readonly<Record<string, Shaped>>;
  readonly options?: readonly string[];
}

/** @throws Error for a part of a schema that no field is made for yet */
export function fieldsOf(schema: z.ZodType): readonly FormField[] {
  return membersOf(schema as unknown as Shaped, '');
}

function membersOf({ shape = {} }: Shaped, path: string): readonly FormField[] {
  return Object.entries(shape).flatMap(([name, member]) => {
    const field = fieldOf(member, path === '' ? name : `${path}.${name}`);
    return field === undefined ? [] : [field];
  });
}

/** @returns undefined for what has one value only, such as the version of the format */
function fieldOf(schema: Shaped, path: string): FormField | undefined {
  const { type, innerType, element } = schema.def;
  if (innerType !== undefined) return fieldOf(innerType, path);
  const options = schema.options ?? [];
  switch (type) {
    case 'literal':
      return undefined;
    case 'object':
      return { kind: 'group', path, fields: membersOf(schema, path) };
    case 'string':
      return { kind: 'text', path, options };
    case 'number':
      return { kind: 'number', path, options };
    case 'boolean':
      return { kind: 'flag', path, options: ['true', 'false'] };
    case 'enum':
      return { kind: 'choice', path, options };
    case 'array':
      return listOf(element as Shaped, path);
    default:
      throw new Error(`${path}: a form has no field for ${type} yet.`);
  }
}

function listOf(element: Shaped, path: string): FormField {
  const item = fieldOf(element, path);
  if (item?.kind === 'group') return { kind: 'entries', path, fields: item.fields };
  if (item?.kind === 'choice') return { kind: 'several', path, options: item.options };
  if (item?.kind === 'text') return { kind: 'lines', path, options: [] };
  throw new Error(`${path}: a form has no field for a list of these yet.`);
}
