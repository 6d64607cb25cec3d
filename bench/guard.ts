/**
 * What a purchase may cost, counted and not timed, so that it is the same on any machine: pages that SQLite writes, statements, and
 * bytes allocated. CI fails where a figure is over the one that is kept by more than 5 % (bytes: 10 %), so that nothing makes a purchase dearer unseen.
 * Who makes it dearer for a reason keeps the new figure in kept.json, and says so in the commit.
 */
import kept from './kept.json' with { type: 'json' };
import { countAllocations } from './memory.ts';
import type { Options } from './options.ts';
import type { Target } from './report.ts';
import { countOnSqlite } from './work.ts';

/** Enough that keys in no order lie on different pages. */
const HISTORY = 4000;
/** By so much a figure may grow; what is allocated is sampled, and differs by some per cent from run to run. */
const ALLOWED = { counted: 1.05, sampled: 1.1 };

/** @throws Error that names each figure which is over */
export async function measureGuard(_options: Options, folder: string): Promise<Target[]> {
  // How many requests share a commit depends on the machine, so those that come alone are counted.
  const { pages, statements } = await countOnSqlite(folder, HISTORY, []);
  const allocated = await countAllocations(folder);
  const found = new Map<string, number>();
  for (const [title, each] of pages) found.set(`pages, ${title}`, each);
  for (const [kind, each] of statements) found.set(`statements, ${kind}`, each);
  for (const [kind, each] of allocated) found.set(`bytes allocated, ${kind}`, each);
  for (const [name, figure] of found) console.log(`${name}: ${figure.toFixed(2)}`);
  const figures: Readonly<Record<string, number>> = kept;
  const targets = [...found].map(([name, figure]): Target => {
    const target = (figures[name] ?? 0) * (name.startsWith('bytes') ? ALLOWED.sampled : ALLOWED.counted);
    return { name, figure, target, better: 'lower', rounds: [figure] };
  });
  const over = targets.filter(({ figure, target }) => !(figure <= target));
  if (over.length > 0) {
    const lines = over.map(({ name, figure }) => `${name}: ${figure.toFixed(2)}, kept: ${figures[name]}`);
    throw new Error(`A purchase has become dearer:\n${lines.join('\n')}`);
  }
  return targets;
}
