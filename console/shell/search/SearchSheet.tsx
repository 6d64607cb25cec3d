/** Searches everything: records of the node, and every screen and action by its name. The keyboard is enough for it. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SearchHit } from '../../../client/operations.ts';
import { explain } from '../../node/explainError.ts';
import { node } from '../../node/node.ts';
import { Sheet } from '../../parts/Sheet.tsx';
import { sayTrouble } from '../../parts/toasts.ts';
import { Status } from '../../parts/values/Status.tsx';
import { isSearching, takeTyped } from '../searchOpen.ts';
import { docsEntries } from './docs.ts';
import { type Entry, foundEntries, knownEntries } from './entries.ts';
import { noteChosen, recentEntries } from './recent.ts';

/** Shorter than between two words, longer than between two keys. */
const PAUSE_MS = 150;
/** What the node takes. */
const LONGEST = 200;

interface SearchResults {
  /** What it was found by. */
  readonly text: string;
  readonly hits: readonly SearchHit[];
  readonly docs: readonly Entry[];
  readonly trouble?: string;
}

const NOTHING: SearchResults = { text: '', hits: [], docs: [] };

export function SearchSheet() {
  const [text, setText] = useState(takeTyped);
  const [place, setPlace] = useState(0);
  const found = useFound(text.trim());
  const isPending = found.text !== text.trim();
  const entries = entriesFor(text, found);
  const chosen = entries[Math.min(place, entries.length - 1)];
  const id = useId();
  const close = () => {
    isSearching.value = false;
  };
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    noteChosen(entry);
    Promise.resolve()
      .then(() => entry.run())
      .catch(sayTrouble);
  };
  const onKey = (event: KeyboardEvent) => {
    // Of a text that is being composed the keys are not for the list.
    if (event.isComposing) return;
    const next = placeAfter(event.key, entries.indexOf(chosen as Entry), entries.length);
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next !== undefined) setPlace(next);
    else choose(chosen);
  };
  return (
    <Sheet title="Search" class="search" onClose={close}>
      <SearchField
        list={id}
        chosen={chosen === undefined ? undefined : `${id}-${entries.indexOf(chosen)}`}
        text={text}
        onInput={(next) => {
          setText(next);
          setPlace(0);
        }}
        onKey={onKey}
      />
      <p class="unseen" role="status">
        {isPending ? '' : countText(entries.length)}
      </p>
      <Results id={id} entries={entries} chosen={chosen} isPending={isPending} onChoose={choose} />
      {found.trouble !== undefined && (
        <p class="trouble" role="alert">
          {found.trouble}
        </p>
      )}
      {entries.length === 0 && !isPending && found.trouble === undefined && (
        <p class="quiet">No result. Ids, names and domains are found by their beginning.</p>
      )}
    </Sheet>
  );
}

interface SearchFieldProps {
  /** The ids of the list of results, and of the one that is chosen. */
  readonly list: string;
  readonly chosen: string | undefined;
  readonly text: string;
  onInput(text: string): void;
  onKey(event: KeyboardEvent): void;
}

function SearchField({ list, chosen, text, onInput, onKey }: SearchFieldProps) {
  return (
    <input
      type="text"
      role="combobox"
      aria-label="Search"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={chosen}
      placeholder="An id, a name, a domain, an amount, a screen"
      autoComplete="off"
      autoCapitalize="none"
      spellcheck={false}
      enterKeyHint="go"
      maxLength={LONGEST}
      value={text}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}

/** The node's answer to the newest text that it has answered: one that comes late does not replace a newer one. */
function useFound(text: string): SearchResults {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (text === '') {
      setFound(NOTHING);
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async () => {
      const docs = docsEntries(text);
      try {
        const { hits } = await node.search({ q: text }, { signal });
        const found = { text, hits, docs: await docs };
        if (!signal.aborted) setFound(found);
      } catch (error) {
        if (!signal.aborted) setFound({ text, hits: [], docs: [], trouble: explain(error).message });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}

/** Each once, group by group. */
function entriesFor(text: string, found: SearchResults): readonly Entry[] {
  const wanted = text.trim();
  // What was found by another text stays until the answer is there, as far as it is called so too.
  const isMeant = ({ label, key }: Entry) =>
    found.text === wanted || `${label} ${key}`.toLowerCase().includes(wanted.toLowerCase());
  const all = [
    ...(wanted === '' ? recentEntries() : []),
    ...knownEntries(wanted),
    ...(wanted === '' ? [] : [...foundEntries(found.hits), ...found.docs].filter(isMeant)),
  ];
  const once = all.filter(({ key }, index) => all.findIndex((entry) => entry.key === key) === index);
  const groups = [...new Set(once.map(({ group }) => group))];
  return groups.flatMap((group) => once.filter((entry) => entry.group === group));
}

function placeAfter(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (place + 1) % count;
  if (key === 'ArrowUp') return (place - 1 + count) % count;
  if (key === 'PageDown') return count - 1;
  return key === 'PageUp' ? 0 : undefined;
}

function countText(count: number): string {
  return count === 1 ? '1 result' : `${count === 0 ? 'No' : count} results`;
}

interface ResultsProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly chosen: Entry | undefined;
  readonly isPending: boolean;
  onChoose(entry: Entry): void;
}

function Results({ id, entries, chosen, isPending, onChoose }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.key]);
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <div ref={list} id={id} class="results" role="listbox" aria-label="Results" aria-busy={isPending}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group the options of a listbox
        <div key={group} role="group" aria-label={group}>
          <p class="results-group" aria-hidden="true">
            {group}
          </p>
          {entries.map((entry, index) =>
            entry.group === group ? (
              <Option
                key={entry.key}
                id={`${id}-${index}`}
                entry={entry}
                isChosen={entry === chosen}
                onChoose={onChoose}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isChosen: boolean;
  onChoose(entry: Entry): void;
}

function Option({ id, entry, isChosen, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys, and the focus
    <div id={id} class="result" role="option" aria-selected={isChosen} tabIndex={-1} onClick={() => onChoose(entry)}>
      <bdi>{entry.label}</bdi>
      {entry.status !== undefined && <Status state={entry.status} />}
    </div>
  );
}
