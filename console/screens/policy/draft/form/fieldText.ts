/** Members of a draft as their fields show them, and back. All that is typed is kept in the draft, what is wrong with it too. */
import { typedNumber } from '../../../../parts/limits/writtenBudget.ts';
import type { Single } from '../../../../proofs/formFields.ts';

/** Rules as they are being written: any JSON. */
type Json = unknown;

/** @returns what the field shows of it; undefined where it is of another kind, which only the JSON shows */
export function textIn({ kind }: Pick<Single, 'kind'>, value: Json): string | undefined {
  if (value === undefined) return '';
  if (kind === 'lines' || kind === 'several') {
    // One entry may stand alone for the list.
    if (typeof value === 'string') return value;
    return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join('\n') : undefined;
  }
  return typeof value === 'object' ? undefined : String(value);
}

/** @returns undefined for a member that is left out */
export function valueIn({ kind, isOneOrMany = false }: Pick<Single, 'kind' | 'isOneOrMany'>, text: string): Json {
  if (kind === 'lines' || kind === 'several') {
    const lines = text.split('\n').map((line) => line.trim());
    const given = lines.filter((line) => line !== '');
    if (isOneOrMany && given.length === 1) return given[0];
    return given.length === 0 ? undefined : given;
  }
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (kind === 'flag') return trimmed === 'true';
  // What is no number stays as it was typed, for the schema to say so.
  return kind === 'number' ? typedNumber(trimmed) : trimmed;
}

type Step = string | number;

/** @param steps such as `['context', 'time_windows', 0, 'from']` */
export function memberAt(value: Json, steps: readonly Step[]): Json {
  return steps.reduce<Json>((within, step) => {
    if (!isObject(within)) return undefined;
    return typeof step === 'number' ? listIn(within)[step] : within[step];
  }, value);
}

/** Where a list may be written as its one entry, that is read as the list. */
function listIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? [value] : [];
}

/** @returns the same with another member; an object that has none left is left out too, an entry of a list is not */
export function withMember(value: Json, [step, ...rest]: readonly Step[], member: Json): Json {
  if (step === undefined) return member;
  if (typeof step === 'number') {
    const list = [...listIn(value)];
    list[step] = withMember(list[step], rest, member) ?? {};
    return list;
  }
  const { [step]: former, ...others } = isObject(value) && !Array.isArray(value) ? value : {};
  const next = withMember(former, rest, member);
  if (next === undefined) return Object.keys(others).length === 0 ? undefined : others;
  // A member keeps its place, so that the JSON does not jump about while the user types.
  return former === undefined ? { ...others, [step]: next } : { ...(value as object), [step]: next };
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null;
}
