/** A button for what cannot be taken back, or is not seen through at once: a sheet says first what will be, and the user confirms it there. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './Button.tsx';
import { Form } from './form/Form.tsx';
import { Sheet } from './Sheet.tsx';

interface RiskyButtonProps {
  /** A verb, such as Remove. */
  readonly act: string;
  /** What it is done to, for screen readers. */
  readonly of: string;
  /** Whether something is gone afterwards, which red says. */
  readonly isLoss?: boolean;
  /** What will be. */
  readonly children: ComponentChildren;
  onConfirm(): Promise<unknown>;
}

export function RiskyButton({ act, of, isLoss = true, children, onConfirm }: RiskyButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const close = () => setAsked(false);
  return (
    <>
      <Button kind={isLoss ? 'risky' : 'second'} label={`${act} ${of}`} onClick={() => setAsked(true)}>
        {act}
      </Button>
      {isAsked && (
        <Sheet title={`${act} ${of}?`} onClose={close}>
          <Form act={act} kind={isLoss ? 'risky' : 'first'} onSubmit={() => onConfirm().then(close)} onLeave={close}>
            <p>{children}</p>
          </Form>
        </Sheet>
      )}
    </>
  );
}
