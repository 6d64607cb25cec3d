/** The fields of a form, made from a schema: a rule that the schema gains is in the form without more. */
import type { z } from 'zod';

export interface FieldWords {
  readonly label: string;
  /** What it is for. */
  readonly about?: string;
  /** True for a duration such as `24h`, of which some are offered. */
  readonly isDuration?: true;
}

interface FormLabel extends FieldWords {
  /** From the policy on, such as `spend.amount_cap`; of what is in a list of entries, without the entry's number. */
  readonly path: string;
}

export interface FieldGroup extends FormLabel {
  readonly kind: 'group';
  readonly fields: readonly FormField[];
}

/** A list of things that each have members of their own. */
export interface Entries extends FormLabel {
  readonly kind: 'entries';
  readonly fields: readonly FormField[];
}

export interface Single extends FormLabel {
  /** lines: a list of texts, one in each line; several: a list of some of the options. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'lines' | 'several';
  readonly options: readonly string[];
  /** True for lines of which a single one is written as a text, not as a list. */
  readonly isOneOrMany?: boolean;
}

export type FormField = FieldGroup | Entries | Single;

/** As much of a schema as a form is made from. */
interface SchemaShape {
  readonly def: { readonly type: string; readonly innerType?: SchemaShape; readonly element?: SchemaShape };
  readonly shape?: Readonly<Record<string, SchemaShape>>;
  /** The words of an enum, or the schemas of a union. */
  readonly options?: readonly unknown[];
}

type WordsOf = (path: string) => FieldWords;

const DURATIONS = ['10m', '30m', '1h', '6h', '12h', '24h', '7d', '30d'];

/**
 * @param wordsOf the words of the field that is at a path
 * @throws Error for a part of a schema that no field is made for yet
 */
export function fieldsOf(schema: z.ZodType, wordsOf: WordsOf): readonly FormField[] {
  return membersOf(schema as unknown as SchemaShape, '', wordsOf);
}

function membersOf({ shape = {} }: SchemaShape, path: string, wordsOf: WordsOf): readonly FormField[] {
  return Object.entries(shape).flatMap(([name, member]) => {
    const field = fieldOf(member, path === '' ? name : `${path}.${name}`, wordsOf);
    return field === undefined ? [] : [field];
  });
}

/** @returns undefined for what has one value only, such as the version of the format */
function fieldOf(schema: SchemaShape, path: string, wordsOf: WordsOf): FormField | undefined {
  const { type, innerType, element } = schema.def;
  if (innerType !== undefined) return fieldOf(innerType, path, wordsOf);
  if (type === 'literal') return undefined;
  // One entry alone, or a list of them: the form writes the list.
  if (type === 'union') {
    const list = (schema.options as readonly SchemaShape[]).find((each) => each.def.type === 'array');
    if (list !== undefined) {
      const field = fieldOf(list, path, wordsOf);
      return field?.kind === 'lines' ? { ...field, isOneOrMany: true } : field;
    }
  }
  const options = (schema.options ?? []) as readonly string[];
  const named = { path, ...wordsOf(path) };
  switch (type) {
    case 'object':
      return { kind: 'group', ...named, fields: membersOf(schema, path, wordsOf) };
    case 'string':
      return named.isDuration ? { kind: 'choice', ...named, options: DURATIONS } : { kind: 'text', ...named, options };
    case 'number':
      return { kind: 'number', ...named, options };
    case 'boolean':
      return { kind: 'flag', ...named, options: ['true', 'false'] };
    case 'enum':
      return { kind: 'choice', ...named, options };
    case 'array':
      return listOf(element as SchemaShape, path, wordsOf);
    default:
      throw new Error(`${path}: a form has no field for ${type} yet.`);
  }
}

function listOf(element: SchemaShape, path: string, wordsOf: WordsOf): FormField {
  const item = fieldOf(element, path, wordsOf);
  if (item?.kind === 'group') return { ...item, kind: 'entries' };
  if (item?.kind === 'choice') return { ...item, kind: 'several' };
  if (item?.kind === 'text') return { ...item, kind: 'lines', options: [] };
  throw new Error(`${path}: a form has no field for a list of these yet.`);
}
