/** A question over the screen: from below on a phone, in the middle on a desk. Escape and a touch beside it close it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Toasts } from './Toasts.tsx';

interface SheetProps {
  readonly title: string;
  /** For what looks otherwise. */
  readonly class?: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

export function Sheet({ title, class: more = '', children, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once, not after the next picture: a key that is pressed between belongs to what is asked here.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog; a click beside it is for the mouse
    <dialog
      ref={dialog}
      class={`sheet ${more}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="sheet-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {/* What stands outside is behind the sheet, and cannot be touched. */}
      <Toasts />
    </dialog>
  );
}
