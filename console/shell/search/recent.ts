/** What was chosen last: in this page's memory only, and of the user who is signed in only. */
import { login } from '../../login/login.ts';
import type { Entry } from './entries.ts';

const MOST = 5;
const GROUP = 'Recent';

let recent: readonly Entry[] = [];

login.subscribe(({ at }) => {
  if (at === 'out') recent = [];
});

/** What is done once is not offered again; what is shown is. */
export function noteChosen(entry: Entry): void {
  if (entry.group === 'Do') return;
  recent = [{ ...entry, group: GROUP }, ...recent.filter(({ key }) => key !== entry.key)].slice(0, MOST);
}

export function recentEntries(): readonly Entry[] {
  return recent;
}
