/** Short notices about what was just done, with a way to undo it where there is one. */
import { signal } from '@preact/signals';
import { explain } from '../node/explainError.ts';
import { place } from '../shell/route.ts';

interface Toast {
  readonly id: number;
  /** The place that it was said at. */
  readonly path: string;
  readonly text: string;
  readonly isTrouble: boolean;
  readonly requestId?: string | undefined;
  readonly action?: { readonly name: string; run(): unknown };
}

export const toasts = signal<readonly Toast[]>([]);

const SHOWN_MS = 6000;
/** Long enough to read what went wrong, or to take something back. */
const SHOWN_LONG_MS = 15_000;

let count = 0;

// A notice is about what was done at its place, and goes with it.
place.subscribe(({ path }) => {
  toasts.value = toasts.peek().filter((toast) => toast.path === path);
});

export function say(text: string, action?: Toast['action']): void {
  add({ text, isTrouble: false, ...(action === undefined ? {} : { action }) });
}

export function sayTrouble(error: unknown): void {
  const { message, requestId } = explain(error);
  add({ text: message, isTrouble: true, requestId });
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function add(toast: Omit<Toast, 'id' | 'path'>): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id, path: place.peek().path }];
  setTimeout(() => dismiss(id), toast.isTrouble || toast.action !== undefined ? SHOWN_LONG_MS : SHOWN_MS);
}
