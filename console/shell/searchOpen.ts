/** Whether the search is open, what opens it (Ctrl K, ⌘ K, /, or its button), and the keys that lead to screens. */
import { signal } from '@preact/signals';
import { go } from './route.ts';

export const isSearching = signal(false);
/** Whether the list of keys is shown, which ? opens. */
export const areKeysShown = signal(false);

/** As it is written on this device's keyboard. */
export const SHORTCUT = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** After g: where each key leads. */
export const LEADING = {
  t: ['#/', 'Today'],
  a: ['#/approvals', 'Approvals'],
  p: ['#/payments', 'Payments'],
  d: ['#/decisions', 'Decisions'],
  g: ['#/agents', 'Agents'],
  l: ['#/policy', 'Policy'],
  e: ['#/evidence', 'Evidence'],
  s: ['#/settings', 'Settings'],
} as const satisfies Readonly<Record<string, readonly [href: string, name: string]>>;

const NEXT_KEY_MS = 1500;

/** What was typed into a search that is open and has not come yet. */
let typed = '';

export function takeTyped(): string {
  const text = typed;
  typed = '';
  return text;
}

/** @returns ends it */
export function followShortcut(): () => void {
  let led = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const isShortcut = event.key.toLowerCase() === 'k' && !event.altKey && !event.shiftKey && hasModifier;
    // A question that is open is answered first.
    const isAsked = document.querySelector('dialog[open]') !== null;
    if (isShortcut) {
      // The browser has a search of its own under these keys.
      event.preventDefault();
      if (isSearching.value) isSearching.value = false;
      else if (!isAsked) openSearch();
      return;
    }
    if (hasModifier || isAsked || isField(event.target)) return;
    if (isSearching.value) {
      note(event);
      return;
    }
    const isLed = event.timeStamp - led < NEXT_KEY_MS;
    led = event.key === 'g' && !isLed ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const leading = isLed && Object.hasOwn(LEADING, event.key) ? LEADING[event.key as keyof typeof LEADING] : undefined;
    if (leading !== undefined) go(leading[0]);
    else if (event.key === '/') openSearch();
    else if (event.key === '?') areKeysShown.value = true;
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

export function openSearch(): void {
  typed = '';
  isSearching.value = true;
}

function note(event: KeyboardEvent): void {
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key === 'Escape') isSearching.value = false;
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
}

/** Where keys are text. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
