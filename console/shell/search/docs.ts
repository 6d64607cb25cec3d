/** Sections of the documents by their names, which the node lists: loaded once something is searched for. */
import { BASE_URL } from '../../node/here.ts';
import type { Entry } from './entries.ts';

interface Section {
  readonly title: string;
  readonly heading: string;
  /** Of its page, and its anchor, from `docs/` on. */
  readonly at: string;
}

const MOST = 6;
let sections: Promise<readonly Section[]> | undefined;

/** @returns nothing where the documents do not answer: all else is found without them */
export async function docsEntries(text: string): Promise<readonly Entry[]> {
  sections ??= fetch(`${BASE_URL}/docs/sections.json`).then((answer) => (answer.ok ? answer.json() : []));
  const all = await sections.catch(() => {
    sections = undefined;
    return [];
  });
  const words = text.toLowerCase().split(/\s+/);
  const found = all.filter(({ title, heading }) => {
    const name = `${title} ${heading}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  return found.slice(0, MOST).map(({ title, heading, at }) => ({
    key: `docs ${at}`,
    group: 'Documents',
    label: heading === '' ? title : `${title}: ${heading}`,
    run: () => window.open(`${BASE_URL}/docs/${at}`, '_blank', 'noopener'),
  }));
}
