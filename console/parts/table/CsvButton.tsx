/** A button that saves as CSV what is shown beside it. */
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';

export function CsvButton({ onSave }: { onSave(): Promise<void> }) {
  return (
    <Button kind="plain" label="Download as CSV" onClick={onSave}>
      <Icon name="download" size={20} /> CSV
    </Button>
  );
}
