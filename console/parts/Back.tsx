/** The way to the list that something is of. */
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

export function Back({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="back" href={href}>
      <Icon name="back" size={20} /> {children}
    </a>
  );
}
