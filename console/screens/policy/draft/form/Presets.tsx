/** Drafts to start from: the one that is chosen takes the place of what the draft says, until that is undone. */
import { say } from '../../../../parts/toasts.ts';
import { draftText } from '../keptDraft.ts';
import { PRESETS, type Preset } from './presets.ts';

interface PresetsProps {
  /** What the draft says now. */
  readonly text: string;
  /** Where there is nothing to lose yet. */
  readonly isOpen: boolean;
  onText(text: string): void;
}

export function Presets({ text, isOpen, onText }: PresetsProps) {
  const take = ({ name, rules }: Preset) => {
    onText(draftText(rules));
    say(`The draft is now “${name}”.`, { name: 'Undo', run: () => onText(text) });
  };
  return (
    <details class="presets" open={isOpen}>
      <summary>Start from an example</summary>
      <ul class="rule-choices">
        {PRESETS.map((preset) => (
          <li key={preset.name}>
            <button type="button" class="rule-choice" onClick={() => take(preset)}>
              <strong>{preset.name}</strong>
              <span class="rule-about">{preset.about}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
