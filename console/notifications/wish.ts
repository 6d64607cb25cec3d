/** What this browser was asked to tell its owner of, remembered here, so that it can subscribe again by itself. */
import type { NoticeTopic } from '../../protocol/webhook/noticeText.ts';

export interface Wish {
  readonly name: string;
  readonly about: readonly NoticeTopic[];
  readonly details: boolean;
  readonly paymentsFrom?: { readonly amount: number; readonly currency: string } | null;
}

const KEY = 'countersign.notifications';

/** Whether this browser shows notifications. */
export function isTold(): boolean {
  return readWish() !== undefined;
}

/** @returns undefined where no user asked for notifications here, or the browser keeps nothing */
export function readWish(): Wish | undefined {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? undefined : (JSON.parse(text) as Wish);
  } catch {
    return undefined;
  }
}

export function keepWish(wish: Wish | undefined): void {
  try {
    if (wish === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(wish));
  } catch {
    // It then subscribes again when its owner asks for it.
  }
}
