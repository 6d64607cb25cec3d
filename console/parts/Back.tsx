/** The way to the list that something is of: back to it, as it was left, where it was come from. */
import type { ComponentChildren } from 'preact';
import { placeOf } from '../shell/places.ts';
import { cameFrom } from '../shell/route.ts';
import { Icon } from './Icon.tsx';

export function Back({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const goBack = (event: MouseEvent) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!isPlain || cameFrom() !== placeOf(href).path) return;
    event.preventDefault();
    history.back();
  };
  return (
    <a class="back" href={href} onClick={goBack}>
      <Icon name="back" size={20} /> {children}
    </a>
  );
}
