/** The index that a reader's browser searches: each section of each page, by its words. It works without any other server. */
import { anchorOf, contents, INDEX, readPage, type SitePage, titleOf } from './sitePages.ts';

/** A part of a page below one heading. */
interface Section {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** Of its page, and its anchor, from `docs/` on. */
  readonly at: string;
}

const HEADING = /^(#{2,3}) (.+)$/;

/** Words that say nothing about where they stand. site.js leaves the same out of what is searched for. */
const COMMON =
  'a about after again all alone also an and another any are as at be because been before beside between both but by can could do does each else every first for from gives goes has have he here his how if in into is it its itself made makes many may more most must never no none not nothing now of on once one only or other others out over own same says she since so such takes than that the their them then there these they this those through to too two under until up used was were what when where whether which while who whose will with within without would you';

/**
 * Kept small, since a browser loads it: of blocks only commands are in it, and no text is stored.
 * @returns JSON that MiniSearch reads, with the options that it was made with (see site.js)
 */
export async function searchIndex(): Promise<string> {
  const { default: MiniSearch } = await import('minisearch');
  const common = new Set(COMMON.split(' '));
  const processTerm = (term: string) => {
    const word = term.toLowerCase();
    return word.length < 2 || word.length > 40 || /^\d+$/.test(word) || common.has(word) ? null : word;
  };
  const index = new MiniSearch<Section>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'at'],
    processTerm,
  });
  const sections = [INDEX, ...contents().flatMap(({ pages }) => pages)].flatMap(sectionsOf);
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return JSON.stringify(index);
}

/** Where each section stands, by the title of its page and its heading; for who looks for one by its name. */
export function sectionList(): string {
  const sections = [INDEX, ...contents().flatMap(({ pages }) => pages)].flatMap(sectionsOf);
  return JSON.stringify(sections.map(({ title, heading, at }) => ({ title, heading, at })));
}

function sectionsOf(page: SitePage): Omit<Section, 'id'>[] {
  const markdown = readPage(page);
  const title = titleOf(markdown).replaceAll('`', '');
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let block: string | undefined;
  for (const line of markdown.split('\n')) {
    const fence = /^```(\w*)/.exec(line);
    if (fence !== null) {
      block = block === undefined ? (fence[1] ?? '') : undefined;
      continue;
    }
    const heading = block !== undefined ? undefined : HEADING.exec(line)?.[2];
    if (heading !== undefined) sections.push({ heading: heading.replaceAll('`', ''), lines: [] });
    else if (block === undefined || block === 'sh') sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({
    title,
    heading,
    // A word of code is the same word.
    text: lines
      .join('\n')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll('`', ' '),
    at: heading === '' ? page.name : `${page.name}#${encodeURIComponent(anchorOf(heading))}`,
  }));
}
