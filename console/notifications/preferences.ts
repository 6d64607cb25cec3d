/** What this browser was asked to tell its owner of, remembered here, so that it can subscribe again by itself. */
import type { NoticeTopic } from '../../protocol/webhook/noticeText.ts';

export interface NotificationPreferences {
  readonly name: string;
  readonly about: readonly NoticeTopic[];
  readonly details: boolean;
  readonly paymentsFrom?: { readonly amount: number; readonly currency: string } | null;
  readonly digest?: { readonly weekday: number; readonly hour: number; readonly timezone: string };
}

const KEY = 'countersign.notifications';

/** Whether this browser shows notifications. */
export function hasNotifications(): boolean {
  return readPreferences() !== undefined;
}

/** @returns undefined where no user asked for notifications here, or the browser keeps nothing */
export function readPreferences(): NotificationPreferences | undefined {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? undefined : (JSON.parse(text) as NotificationPreferences);
  } catch {
    return undefined;
  }
}

export function storePreferences(preferences: NotificationPreferences | undefined): void {
  try {
    if (preferences === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // It then subscribes again when its owner asks for it.
  }
}
