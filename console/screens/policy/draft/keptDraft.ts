/**
 * The draft that a user writes: it stays while they look elsewhere, when saving it fails, and when the page is loaded again.
 * It is this tab's and this person's own, and ends with the tab.
 */
import { computed, signal } from '@preact/signals';
import { login } from '../../../login/login.ts';
import { HOME } from '../../../node/here.ts';
import type { VersionId } from '../policies.ts';

export interface Draft {
  /** The JSON as it was typed, whether it can be read or not. */
  readonly text: string;
  /** What was in force when it was begun; undefined where nothing was. */
  readonly over: VersionId | undefined;
}

interface StoredDraft {
  readonly draft?: Draft | undefined;
  /** The cases that the policy is tested with, as JSON. */
  readonly cases?: string;
}

const owner = computed(() => (login.value.at === 'in' ? login.value.me.did : undefined));
const kept = signal<{ readonly owner: string | undefined; readonly what: StoredDraft }>({ owner: undefined, what: {} });

function keyOf(person: string): string {
  return `countersign.draft ${HOME.href} ${person}`;
}

function current(): StoredDraft {
  const person = owner.value;
  if (kept.value.owner === person || person === undefined) return kept.value.owner === person ? kept.value.what : {};
  return read(person);
}

function read(person: string): StoredDraft {
  try {
    const { draft, cases = '' } = JSON.parse(sessionStorage.getItem(keyOf(person)) ?? '{}') as StoredDraft;
    // A draft that an earlier console stored in another form is left out.
    return { cases: String(cases), draft: typeof draft?.text === 'string' ? draft : undefined };
  } catch {
    // A browser that keeps nothing has the draft for as long as the page is open.
    return {};
  }
}

function keep(changed: StoredDraft): void {
  const person = owner.peek();
  const what = { ...current(), ...changed };
  kept.value = { owner: person, what };
  if (person === undefined) return;
  try {
    sessionStorage.setItem(keyOf(person), JSON.stringify(what));
  } catch {
    // As above.
  }
}

export const keptDraft = (): Draft | undefined => current().draft;
export const keepDraft = (draft: Draft): void => keep({ draft });
export const dropDraft = (): void => keep({ draft: undefined });
export const keptCases = (): string => current().cases ?? '';
export const keepCases = (cases: string): void => keep({ cases });

/** Rules as the JSON beside the form shows them. */
export function draftText(rules: unknown): string {
  return JSON.stringify(rules, null, 2);
}
