/** The pages of docs/: where each lies, in which order a reader finds them, and what each is called. */
import { listAssets, readAsset } from '../../assets/assets.ts';

/** The kinds of pages, with the pages that stand first in each; others follow by their titles. */
const SECTIONS = [
  {
    title: 'Tutorials',
    folder: 'tutorials',
    first: [
      'tutorial-agent',
      'tutorial-agent-python',
      'tutorial-mcp',
      'tutorial-owner',
      'tutorial-merchant',
      'tutorial-operator',
      'tutorial-auditor',
    ],
  },
  {
    title: 'Guides',
    folder: 'guides',
    first: [
      'console',
      'limits',
      'presence',
      'same-purchase',
      'examples',
      'authentication',
      'python',
      'mcp',
      'a2a',
      'ap2',
      'payment-credentials',
      'ucp',
      'check-it-yourself',
      'stripe',
      'deploy',
      'containers',
    ],
  },
  {
    title: 'Reference',
    folder: 'reference',
    first: [
      'policies',
      'errors',
      'webhooks',
      'configuration',
      'commands',
      'credentials',
      'mandate-chains',
      'compatibility',
    ],
  },
  { title: 'Explanation', folder: 'explanation', first: ['concepts', 'purchase', 'evidence', 'security'] },
] as const;

/** The folders of pages. Those of a kind do not stand in addresses, so that a page can change its kind. */
const FOLDERS = [...SECTIONS.map(({ folder }) => folder), 'reference/extensions', 'adr'].map(
  (folder) => `docs/${folder}/`,
);

export interface SitePage {
  /** As in its address, such as `policies` and `extensions/mandates`. */
  readonly name: string;
  /** From the root of the package, such as `docs/reference/policies.md`. */
  readonly file: string;
}

/** The first page: what there is, by who reads it. */
export const INDEX: SitePage = { name: '', file: 'docs/README.md' };

/** All pages but the first, by folder. */
export function listPages(): readonly SitePage[] {
  return FOLDERS.flatMap((folder) =>
    listAssets(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ name: nameOf(folder + name), file: folder + name })),
  );
}

/** The name in its address of a page that lies in a file; that of an index is its folder's. */
export function nameOf(file: string): string {
  const parts = file.slice('docs/'.length, -'.md'.length).split('/');
  if (SECTIONS.some(({ folder }) => folder === parts[0])) parts.shift();
  if (parts.at(-1) === 'README') parts.pop();
  return parts.join('/');
}

/** The pages of each kind in the order in which a reader finds them. Records of decisions are listed on a page of their own. */
export function contents(): readonly { readonly title: string; readonly pages: readonly SitePage[] }[] {
  const all = listPages();
  return SECTIONS.map(({ title, folder, first }) => {
    const place = ({ name }: SitePage) => {
      const at = (first as readonly string[]).indexOf(name);
      return at === -1 ? first.length : at;
    };
    const pages = all.filter(({ file }) => file.startsWith(`docs/${folder}/`));
    const titles = new Map(pages.map((page) => [page, titleOf(readPage(page))]));
    const byPlace = (one: SitePage, other: SitePage) =>
      place(one) - place(other) || String(titles.get(one)).localeCompare(String(titles.get(other)));
    return { title, pages: pages.sort(byPlace) };
  });
}

/** The page as Markdown, without what only tools read. */
export function readPage({ file }: SitePage): string {
  return readAsset(file).replaceAll(/<!--.*?-->\n?/gs, '');
}

/** What a page calls itself: its first heading. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** The name that a heading is linked to by: a code as it is, words as forges make them. */
export function anchorOf(heading: string): string {
  if (/^[A-Z0-9_]+$/.test(heading)) return heading;
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');
}
