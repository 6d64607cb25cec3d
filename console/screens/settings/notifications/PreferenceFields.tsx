/** What notifications are about, and how much they tell. */
import { useId, useState } from 'preact/hooks';
import type { NoticeTopic } from '../../../../protocol/webhook/noticeText.ts';
import type { NotificationPreferences } from '../../../notifications/preferences.ts';
import { Choice, Field } from '../../../parts/form/Field.tsx';

const TOPICS: readonly (readonly [NoticeTopic, string])[] = [
  ['approvals', 'An agent asks whether it may buy'],
  ['disputes', 'A bank disputes a payment'],
  ['agents', 'An agent is frozen'],
  ['payments', 'A payment is made'],
  ['digest', 'A week is over: what was bought, limits, refusals'],
  ['passkey.added', 'A passkey is enrolled for your money or your agents (always told)'],
];

interface PreferenceFieldsProps {
  readonly preferences: NotificationPreferences;
  /** What the place is called where its owner names it nothing; without it, a name is required. */
  readonly namePlaceholder?: string | undefined;
  onChange(preferences: NotificationPreferences): void;
}

export function PreferenceFields({ preferences, namePlaceholder, onChange }: PreferenceFieldsProps) {
  const { about, details } = preferences;
  const toggle = (topic: NoticeTopic, isWanted: boolean) =>
    onChange({ ...preferences, about: isWanted ? [...about, topic] : about.filter((each) => each !== topic) });
  return (
    <>
      <Field
        label="Name"
        name="name"
        value={preferences.name}
        onInput={(name) => onChange({ ...preferences, name })}
        input={{
          required: namePlaceholder === undefined,
          placeholder: namePlaceholder,
          maxLength: 100,
          autoComplete: 'off',
        }}
      />
      <fieldset class="field">
        <legend>Tell me when</legend>
        {TOPICS.map(([topic, text]) => (
          <Check key={topic} text={text} checked={about.includes(topic)} onChange={(wanted) => toggle(topic, wanted)} />
        ))}
      </fieldset>
      {about.includes('digest') && <Digest preferences={preferences} onChange={onChange} />}
      {about.includes('payments') && <From preferences={preferences} onChange={onChange} />}
      <Check
        text="Show amounts and merchants, on a locked screen and at the service too"
        checked={details}
        onChange={(shown) => onChange({ ...preferences, details: shown })}
      />
    </>
  );
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (name, index) => [String(index + 1), name] as const,
);
const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), `${hour}:00`] as const);

/** When the week is told, by the clock of who sets it. */
export function firstDigest(): NonNullable<NotificationPreferences['digest']> {
  return { weekday: 1, hour: 8, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

function Digest({ preferences, onChange }: Omit<PreferenceFieldsProps, 'namePlaceholder'>) {
  const digest = preferences.digest ?? firstDigest();
  const set = (change: Partial<typeof digest>) => onChange({ ...preferences, digest: { ...digest, ...change } });
  return (
    <>
      <div class="pair">
        <Choice
          label="Digest on"
          value={String(digest.weekday)}
          options={WEEKDAYS}
          onChange={(weekday) => set({ weekday: Number(weekday) })}
        />
        <Choice
          label="At"
          value={String(digest.hour)}
          options={HOURS}
          onChange={(hour) => set({ hour: Number(hour) })}
        />
      </div>
      <p class="quiet">
        By the clock of {digest.timezone}. With amounts, a mail has a CSV file of agents and merchants.
      </p>
    </>
  );
}

/** Payments from which amount on; every one where there is none. */
function From({ preferences, onChange }: Omit<PreferenceFieldsProps, 'namePlaceholder'>) {
  const { amount, currency = 'USD' } = preferences.paymentsFrom ?? {};
  const [text, setText] = useState(amount === undefined ? '' : String(amount));
  const [unit, setUnit] = useState(currency);
  const set = (typed: string, chosen: string) => {
    setText(typed);
    setUnit(chosen);
    onChange({ ...preferences, paymentsFrom: Number(typed) > 0 ? { amount: Number(typed), currency: chosen } : null });
  };
  return (
    <div class="pair">
      <Field
        label="Payments from"
        name="paymentsFrom.amount"
        value={text}
        onInput={(typed) => set(typed, unit)}
        input={{ type: 'number', min: 0, step: 'any', inputMode: 'decimal', placeholder: 'every payment' }}
      />
      <Field
        label="Currency"
        name="paymentsFrom.currency"
        value={unit}
        onInput={(chosen) => set(text, chosen.toUpperCase())}
        input={{ maxLength: 3, pattern: '[A-Z]{3}', autoComplete: 'off' }}
      />
    </div>
  );
}

interface CheckProps {
  readonly text: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
}

function Check({ text, checked, onChange }: CheckProps) {
  const id = useId();
  return (
    <label class="check" for={id}>
      <input id={id} type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{text}</span>
    </label>
  );
}
