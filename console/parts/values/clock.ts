/** The present as a signal, for what is counted down and for how long something is ago. */
import { signal } from '@preact/signals';

/** Moves each second while something is counted down. */
export const seconds = signal(Date.now());
/** Moves each half minute. */
export const minutes = signal(Date.now());

setInterval(() => {
  seconds.value = Date.now();
}, 1000);
setInterval(() => {
  minutes.value = Date.now();
}, 30_000);
