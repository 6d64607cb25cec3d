/** The rules that the draft does not have, found by their words; the one that is chosen gets its fields. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../../parts/Button.tsx';
import { Field } from '../../../../parts/form/Field.tsx';
import { Icon } from '../../../../parts/Icon.tsx';
import { aboutOf, findRules, type RuleField } from './findRules.ts';

interface AddRuleProps {
  /** Those that the draft does not have. */
  readonly rules: readonly RuleField[];
  onAdd(path: string): void;
}

export function AddRule({ rules, onAdd }: AddRuleProps) {
  const [isOpen, setOpen] = useState(false);
  if (rules.length === 0) return <p class="quiet">The draft has every rule that there is.</p>;
  if (!isOpen) {
    return (
      <Button onClick={() => setOpen(true)}>
        <Icon name="plus" /> Add a rule
      </Button>
    );
  }
  const add = (path: string) => {
    setOpen(false);
    onAdd(path);
  };
  return <Search rules={rules} onAdd={add} onLeave={() => setOpen(false)} />;
}

function Search({ rules, onAdd, onLeave }: AddRuleProps & { onLeave(): void }) {
  const [text, setText] = useState('');
  const place = useRef<HTMLFieldSetElement>(null);
  // At once, so that the next key is for it.
  useLayoutEffect(() => place.current?.querySelector('input')?.focus(), []);
  const found = findRules(rules, text);
  return (
    <fieldset
      ref={place}
      class="bare add-rule"
      aria-label="Add a rule"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      <Field
        label="Add a rule"
        value={text}
        onInput={setText}
        input={{ type: 'search', placeholder: 'Such as category, weekend, budget', autoComplete: 'off' }}
      />
      <ul class="rule-choices">
        {found.map(({ field, group }) => (
          <li key={field.path}>
            <button type="button" class="rule-choice" onClick={() => onAdd(field.path)}>
              <strong>{field.label}</strong>
              <span class="rule-about">
                {group} · {aboutOf(field)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {found.length === 0 ? 'No rule has these words.' : found.length === 1 ? '1 rule' : `${found.length} rules`}
      </p>
      <Button onClick={onLeave}>Cancel</Button>
    </fieldset>
  );
}
