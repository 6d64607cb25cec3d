/** The category of a merchant: one of those that have a name, or another one by its code. */
import { useState } from 'preact/hooks';
import { CATEGORIES } from '../rules/categories.ts';
import { Choice, Field } from './Field.tsx';

const OTHER = 'other';
const OPTIONS = [
  ['', 'Not known'],
  ...CATEGORIES.map(([, code, text]) => [code, text] as const),
  [OTHER, 'Another, by its code'],
] as const;

interface CategoryFieldProps {
  /** The member of the request that it is. */
  readonly name: string;
  /** Four digits (ISO 18245); empty where it is not known. */
  readonly value: string;
  onInput(value: string): void;
}

export function CategoryField({ name, value, onInput }: CategoryFieldProps) {
  const [isOther, setOther] = useState(false);
  const choose = (chosen: string) => {
    setOther(chosen === OTHER);
    onInput(chosen === OTHER ? '' : chosen);
  };
  return (
    <>
      <Choice label="Category" value={isOther ? OTHER : value} options={OPTIONS} onChange={choose} />
      {isOther && (
        <Field
          label="Code of the category"
          name={name}
          value={value}
          onInput={onInput}
          hint="Four digits (ISO 18245), such as 5411."
          input={{ autoComplete: 'off', inputMode: 'numeric', maxLength: 4 }}
        />
      )}
    </>
  );
}
