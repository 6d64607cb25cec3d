/** What a payment method is called at the rail, and whose it is there: the fields of a form that registers one. */
import { Field } from '../form/Field.tsx';

interface InstrumentValues {
  readonly paymentMethod: string;
  readonly customer: string;
}

export const NO_INSTRUMENT: InstrumentValues = { paymentMethod: '', customer: '' };

/** As the node takes it. */
export function instrumentOf({ paymentMethod, customer }: InstrumentValues) {
  const named = customer.trim();
  return { paymentMethod: paymentMethod.trim(), ...(named === '' ? {} : { customer: named }) };
}

interface InstrumentFieldsProps {
  readonly given: InstrumentValues;
  onChange(given: InstrumentValues): void;
}

export function InstrumentFields({ given, onChange }: InstrumentFieldsProps) {
  const typed = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false, maxLength: 255 } as const;
  return (
    <>
      <Field
        label="Payment method"
        name="paymentMethod"
        value={given.paymentMethod}
        onInput={(paymentMethod) => onChange({ ...given, paymentMethod })}
        hint="The id at the rail, such as pm_1Q…. Never a card number."
        input={{ ...typed, required: true }}
      />
      <Field
        label="Customer"
        name="customer"
        value={given.customer}
        onInput={(customer) => onChange({ ...given, customer })}
        hint="The customer’s id at the rail, such as cus_R…, if the rail needs it."
        input={typed}
      />
    </>
  );
}
