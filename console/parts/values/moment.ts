/** Moments as a person says them, in the zone of the person who looks. All dates and times of the console are written here. */

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const TWO_DAYS_S = 172_800;

/** Such as "5 min ago", "14:32", "Tue 14:32", "3 Nov"; what lies ahead as "Tue 1 Dec, 00:00", which reads as no day that was. */
export function momentText(time: string, now: Date): string {
  const at = new Date(time);
  const ago = now.getTime() - at.getTime();
  // What is shown is counted anew once a minute, and may be newer than that; a node's clock may be a little ahead, too.
  if (Math.abs(ago) < MINUTE_MS) return 'just now';
  if (ago >= 0 && ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)} min ago`;
  const clock = clockText(time);
  if (at.toDateString() === now.toDateString()) return clock;
  if (ago < 0 && ago > -6 * DAY_MS) return `${dayTitle(time, now)}, ${clock}`;
  if (ago > 0 && ago < 6 * DAY_MS) return `${at.toLocaleDateString('en-GB', { weekday: 'short' })} ${clock}`;
  return at.getFullYear() === now.getFullYear() ? dayText(at) : `${dayText(at)} ${at.getFullYear()}`;
}

/** Such as "14:32", where its day stands beside. */
export function clockText(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** The day of a moment as a heading, such as "Tue 3 Nov"; of another year with its number. */
export function dayTitle(time: string, now = new Date()): string {
  const at = new Date(time);
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return at.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', ...year }).replace(',', '');
}

/** Such as "Sat 28 Nov 2026, 01:21", on what is printed and handed on. */
export function dateText(time: string): string {
  // Of a year that no node has seen, every year is another one, and is named.
  return `${dayTitle(time, new Date(0))}, ${clockText(time)}`;
}

/** A day of the year, such as "3 Nov". @param timeZone where the day is; without it, where the person is */
export function dayText(at: Date, timeZone?: 'UTC'): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(timeZone && { timeZone }) });
}

/** To the second, with the zone. */
export function exactText(time: string): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

/** How long until then, such as "4:05"; hours and days are written out. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= TWO_DAYS_S) return `${Math.floor(seconds / 86_400)} days`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
