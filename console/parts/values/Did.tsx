/** A DID, shortened in its middle: its beginning says nothing, its end tells two apart. It is copied whole. */
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import { say } from '../toasts.ts';

export function Did({ did }: { readonly did: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(did);
    say('Copied.');
  };
  return (
    <span class="did">
      <code title={did}>{did.length <= 22 ? did : `${did.slice(0, 12)}…${did.slice(-6)}`}</code>
      <Button kind="plain" label={`Copy ${did}`} onClick={copy}>
        <Icon name="copy" size={18} />
      </Button>
    </span>
  );
}
