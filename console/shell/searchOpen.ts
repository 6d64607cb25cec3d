/** Whether the search is open, and what opens it: Ctrl K, ⌘ K, or its button. */
import { signal } from '@preact/signals';

export const isSearching = signal(false);

/** As it is written on this device's keyboard. */
export const SHORTCUT = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** @returns ends it */
export function followShortcut(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    // The browser has a search of its own under these keys.
    event.preventDefault();
    if (isSearching.value) isSearching.value = false;
    // A question that is open is answered first.
    else if (document.querySelector('dialog[open]') === null) isSearching.value = true;
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
