/** Where the history mentions an id. It is looked for only once something is wrong, so that nothing else pays for it. */
import type { Happening } from '../history.ts';

/** Of one id so many places are told at most, the first ones: the rest repeat them. */
const MOST = 12;

/** Use cases that only read, and whose answers mention much. */
const READING = /^(list|export|get|show|search|verify|current)/;

/** @returns places of happenings that mention any of the ids, in order; without the books, which mention everything */
export function placesOf(history: readonly Happening[], ids: readonly string[]): readonly number[] {
  const counts = new Map(ids.filter((id) => id.length > 0).map((id) => [id, 0]));
  const places: number[] = [];
  const readings = new Set<number>();
  for (const [place, happening] of history.entries()) {
    if (happening.kind === 'quiet' || happening.kind === 'checkpoint' || happening.kind === 'fault') continue;
    if (happening.kind === 'asked' && READING.test(happening.call)) readings.add(happening.id);
    if ('id' in happening && readings.has(happening.id)) continue;
    const text = JSON.stringify(happening);
    for (const [id, count] of counts) {
      if (count >= MOST || !text.includes(id)) continue;
      counts.set(id, count + 1);
      places.push(place);
    }
  }
  return [...new Set(places)];
}
