/** A button that opens a form over the screen, such as the one that adds to a list. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { Sheet } from './Sheet.tsx';

interface SheetButtonProps {
  /** What the button says. */
  readonly act: string;
  /** Of the sheet. */
  readonly title: string;
  /** Where it is the main button of a list: a plus says that it adds to it. */
  readonly isMain?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

export function SheetButton({ act, title, isMain = false, children }: SheetButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind={isMain ? 'first' : 'second'} onClick={() => setOpen(true)}>
        {isMain && <Icon name="plus" size={20} />} {act}
      </Button>
      {isOpen && (
        <Sheet title={title} onClose={close}>
          {children(close)}
        </Sheet>
      )}
    </>
  );
}
