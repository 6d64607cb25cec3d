/** Views of the same place, one at a time. */

interface TabsProps<Name extends string> {
  /** What is chosen by them, for screen readers. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly shown: Name;
  /** The id of the element that shows the chosen one. */
  readonly controls: string;
  readonly onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, names, shown, controls, onChoose }: TabsProps<Name>) {
  return (
    <fieldset class="tabs" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="tab"
          aria-pressed={name === shown}
          aria-controls={controls}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
