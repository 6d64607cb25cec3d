/** Whether there is room for a table: on a phone, and where the page is enlarged, its records stand as rows. */
import { signal } from '@preact/signals';

const room = matchMedia('(min-width: 64rem)');

export const isDesk = signal(room.matches);

room.addEventListener('change', ({ matches }) => {
  isDesk.value = matches;
});
