/** Which known member a name that is not known was probably meant for. A restriction under a wrong name is one that does not hold. */

/** Two letters more, fewer, other or changed over. */
const MOST_EDITS = 2;

/** What a member is called in other operations. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([['domain', ['merchantDomain', 'merchant']]]);

/**
 * The known name that another one misspells: by letter case, `_` or `-`, by at most two letters, or by the loss of its last words
 * (`merchant` for `merchantDomain`).
 * @param isPresent whether a known member stands beside it: what only lacks an ending of one that is there is another member
 */
export function misspelledName(
  name: string,
  known: readonly string[],
  isPresent: (name: string) => boolean,
): string | undefined {
  const folded = foldName(name);
  return (
    known.find((each) => foldName(each) === folded) ??
    known.find((each) => OTHER_NAMES.get(each)?.includes(name)) ??
    known.find((each) => isWithinEdits(folded, foldName(each))) ??
    known.find((each) => isBeginningOf(name, each) && !isPresent(each))
  );
}

/** The known name that a person is told of: one that is misspelled, or else one that shares its beginning. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const folded = foldName(name);
  const shared = (each: string) => sharedLength(folded, foldName(each));
  const [best] = [...known].sort((one, other) => shared(other) - shared(one));
  const near = misspelledName(name, known, () => false);
  return near ?? (best !== undefined && shared(best) >= 3 ? best : undefined);
}

function foldName(name: string): string {
  return name.length > 64 ? name : name.replace(/[_-]/g, '').toLowerCase();
}

/** Whether a name ends where a word of another one ends: `merchant` and `merchantDomain`, not `me`. */
function isBeginningOf(name: string, whole: string): boolean {
  const next = whole.charAt(name.length);
  return name.length >= 3 && whole.startsWith(name) && next !== next.toLowerCase();
}

/** Short names differ in one letter at most: `mcc` and `mccs`, not `mcc` and `id`. */
function isWithinEdits(one: string, other: string): boolean {
  const most = Math.min(MOST_EDITS, Math.ceil(other.length / 2) - 1);
  return Math.abs(one.length - other.length) <= most && edits(one, other, most) <= most;
}

/** The Levenshtein distance, or something above `most`. */
function edits(one: string, other: string, most: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row.at(-1) ?? 0;
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
