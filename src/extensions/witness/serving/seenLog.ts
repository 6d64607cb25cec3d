/** What a witness keeps of one log: the checkpoint that it cosigned last, and others of the log that do not go with it. */
import { z } from 'zod';
import { toHex } from '../../../../protocol/credential/encodings.ts';
import { MOST_SIGNATURES, readNote } from '../../../../protocol/evidence/log/note.ts';

export const SeenLog = z.strictObject({
  note: z.string().describe('The last checkpoint that was cosigned, with the log’s signatures and the cosignature.'),
  unproven: z.string().optional().describe('The first signed checkpoint that came without a proof that holds.'),
  unprovenNewest: z.string().optional().describe('The newest of those after it.'),
  forked: z.string().optional().describe('The first one with another root for a size that was seen.'),
});
export type SeenLog = Readonly<z.infer<typeof SeenLog>>;

const MEMBERS = ['note', 'unproven', 'unprovenNewest', 'forked'] as const;

export function isSameLog(one: SeenLog, other: SeenLog): boolean {
  return MEMBERS.every((member) => one[member] === other[member]);
}

/**
 * What is kept once a checkpoint is cosigned: what was unproven of its size is either this very checkpoint, which is proven
 * now, or proves a fork.
 * @param note the checkpoint with the log's signatures and the cosignature
 */
export function withCosigned(before: SeenLog | undefined, note: string): SeenLog {
  const unproven = unprovenOf(before);
  const isOfSize = (each: string) => headOf(each).size === headOf(note).size;
  const [first, newest] = unproven.filter((each) => !isOfSize(each));
  const forked = before?.forked ?? unproven.find((each) => isOfSize(each) && headOf(each).head !== headOf(note).head);
  return {
    note,
    ...(first === undefined ? {} : { unproven: first }),
    ...(newest === undefined ? {} : { unprovenNewest: newest }),
    ...(forked === undefined ? {} : { forked }),
  };
}

/** Nothing that comes later takes the place of the first: everyone can send public checkpoints with a wrong proof. */
export function withUnproven(before: SeenLog, note: string): SeenLog {
  if (unprovenOf(before).some((each) => headOf(each).head === headOf(note).head)) return before;
  return before.unproven === undefined ? { ...before, unproven: note } : { ...before, unprovenNewest: note };
}

/** Both are signed by the log, which proves the fork: nothing that comes later adds to that. */
export function withFork(before: SeenLog, note: string): SeenLog {
  return before.forked === undefined ? { ...before, forked: note } : before;
}

/**
 * The kept note, with the signatures of keys of the log that have not signed it there, before the cosignature.
 * @param line the cosignature, which ends the kept note
 * @param note the same text with signatures that were verified
 */
export function withSignatures(kept: string, line: string, note: string): string {
  const [old, given] = [readNote(kept), readNote(note)];
  if (!old.ok || !given.ok) return kept;
  const known = new Set(old.signatures.map(({ name, keyId }) => `${name} ${toHex(keyId)}`));
  const added = given.signatures.filter(({ name, keyId }) => !known.has(`${name} ${toHex(keyId)}`));
  const room = MOST_SIGNATURES - old.signatures.length;
  const lines = added.slice(0, room).map((each) => each.line);
  return kept.slice(0, kept.length - line.length) + lines.join('') + line;
}

function unprovenOf(log: SeenLog | undefined): readonly string[] {
  return [log?.unproven, log?.unprovenNewest].filter((note) => note !== undefined);
}

/** Origin, size and root, which each have one spelling in a checkpoint. */
function headOf(note: string): { readonly head: string; readonly size: string } {
  const lines = note.split('\n', 3);
  return { head: lines.join('\n'), size: lines[1] ?? '' };
}
