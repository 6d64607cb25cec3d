/** A button for an action. While it is being done it says so, and cannot be done twice. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isCanceled } from '../node/explainError.ts';
import { sayTrouble } from './toasts.ts';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** first: what the screen is for; second: anything else; risky: what cannot be undone; plain: within a text. */
  readonly kind?: 'first' | 'second' | 'risky' | 'plain';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** Where its form is being sent. */
  readonly isSent?: boolean;
  /** For what the words alone leave open. */
  readonly label?: string;
  /** What goes wrong is told in a toast. */
  readonly onClick?: () => unknown;
}

export function Button({
  children,
  kind = 'second',
  type = 'button',
  disabled = false,
  isSent = false,
  label,
  onClick,
}: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const act = async () => {
    if (busy || onClick === undefined) return;
    setBusy(true);
    try {
      await onClick();
    } catch (error) {
      if (!isCanceled(error)) sayTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-busy={busy || isSent}
      aria-label={label}
      onClick={() => void act()}
    >
      {children}
    </button>
  );
}
