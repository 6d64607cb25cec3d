/** A DID, or an address on a chain, shortened in its middle: its end tells two apart. It is copied whole. */
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import { say } from '../toasts.ts';
import { shortened } from './shortened.ts';

export function LongId({ id }: { readonly id: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    say('Copied.');
  };
  return (
    <span class="did">
      <code title={id}>{shortened(id)}</code>
      <Button kind="plain" label={`Copy ${id}`} onClick={copy}>
        <Icon name="copy" size={18} />
      </Button>
    </span>
  );
}
