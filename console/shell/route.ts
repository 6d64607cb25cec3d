/** The place that the console shows, and the way to another. */
import { signal } from '@preact/signals';
import { type Place, placeOf } from './places.ts';

export const place = signal<Place>(placeOf(location.hash));

addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
});

/** @param options.replace so that "back" leads past the place before */
export function go(href: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace !== true) {
    location.hash = href;
    return;
  }
  history.replaceState(null, '', href);
  place.value = placeOf(href);
}
