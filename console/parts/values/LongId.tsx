/** A DID, or an address on a chain, shortened in its middle: its end tells two apart. It is copied whole. */
import type { ComponentChildren } from 'preact';
import { Button } from '../Button.tsx';
import { Icon } from '../Icon.tsx';
import { say } from '../toasts.ts';
import { shortened } from './shortened.ts';

interface LongIdProps {
  readonly id: string;
  /** What stands for it, in words. */
  readonly children?: ComponentChildren;
}

export function LongId({ id, children }: LongIdProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    say('Copied.');
  };
  return (
    <span class="did">
      {children === undefined ? <code title={id}>{shortened(id)}</code> : <span title={id}>{children}</span>}
      <Button kind="plain" label={`Copy ${id}`} onClick={copy}>
        <Icon name="copy" size={18} />
      </Button>
    </span>
  );
}
