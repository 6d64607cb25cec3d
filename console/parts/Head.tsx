/** The first line of a screen: its name, or the way to the list that it belongs to; at its right end the main button. */
import type { ComponentChildren } from 'preact';
import { Back } from './Back.tsx';

interface HeadProps {
  readonly title?: string;
  /** Of a single record, whose name is the heading of its first card. */
  readonly back?: { readonly href: string; readonly name: string };
  /** What the screen is for; the other actions stand beside the facts. */
  readonly children?: ComponentChildren;
}

export function Head({ title, back, children }: HeadProps) {
  return (
    <div class="head">
      {back !== undefined && <Back href={back.href}>{back.name}</Back>}
      {title !== undefined && <h1>{title}</h1>}
      {children}
    </div>
  );
}
