/** The pages of docs/ as this node serves them: rendered from Markdown at the first asking, linked to one another. */
import { listAssets, readAsset } from '../assets/assets.ts';

/** The folders of pages. Those of a kind do not stand in addresses, so that a page can change its kind. */
const KINDS = ['tutorials', 'guides', 'reference', 'explanation'] as const;
const FOLDERS = [...KINDS, 'reference/extensions', 'adr'].map((folder) => `docs/${folder}/`);

interface Guide {
  /** As in its address, such as `policies` and `extensions/mandates`. */
  readonly name: string;
  /** From the root of the package, such as `docs/reference/policies.md`. */
  readonly file: string;
}

/** All pages, by folder. The index docs/README.md is none of them: a node has the page of its API in its place. */
export function listGuides(): readonly Guide[] {
  return FOLDERS.flatMap((folder) =>
    listAssets(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ name: nameOf(folder + name), file: folder + name })),
  );
}

/** The name in its address of a page that lies in a file; that of an index is its folder's. */
function nameOf(file: string): string {
  const parts = file.slice('docs/'.length, -'.md'.length).split('/');
  if (KINDS.some((kind) => kind === parts[0])) parts.shift();
  if (parts.at(-1) === 'README') parts.pop();
  return parts.join('/');
}

export function readGuide({ file }: Guide): string {
  return readAsset(file);
}

/** What a page calls itself: its first heading. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** The name that a heading is linked to by: a code as it is, words as forges make them. */
function anchorOf(heading: string): string {
  if (/^[A-Z0-9_]+$/.test(heading)) return heading;
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** @param isSandbox whether the page says so */
export async function renderGuide(guide: Guide, isSandbox: boolean): Promise<string> {
  // Loaded at the first asking: most starts are of nodes whose pages no person reads.
  const { default: Markdown } = await import('markdown-it');
  const source = readGuide(guide).replaceAll(/<!--.*?-->\n?/gs, '');
  const up = '../'.repeat(guide.name.split('/').length);
  const markdown = Markdown({ html: false });
  markdown.core.ruler.push('anchors', anchorHeadings);
  markdown.core.ruler.push('links', (state) => linkPages(state, guide.file, up));
  const sandbox = isSandbox ? ' <small>SANDBOX</small>' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${markdown.utils.escapeHtml(titleOf(source))} · Countersign</title>
<link rel="icon" href="${up}pages/mark.svg">
<link rel="stylesheet" href="${up}docs/style.css">
</head>
<body>
<header><p><a href="${up}docs">Documentation and API</a>${sandbox}</p></header>
<main class="guide">
${markdown.render(imagesAsMarkdown(source))}
</main>
</body>
</html>
`;
}

/** What markdown-it has read, as far as it is changed here. */
interface State {
  readonly tokens: readonly Token[];
}

interface Token {
  readonly type: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrs: [string, string | number][] | null;
  attrGet(name: string): string | number | null;
  attrSet(name: string, value: string): void;
}

function anchorHeadings({ tokens }: State): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(plainText(tokens[index + 1])));
  }
}

function plainText(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('');
}

/** A link to a page of docs/ becomes one to that page here; one to another file of the project, which no node serves, its text. */
function linkPages({ tokens }: State, file: string, up: string): void {
  for (const token of tokens.flatMap((each) => each.children ?? [])) {
    const attribute = token.type === 'image' ? 'src' : token.type === 'link_open' ? 'href' : undefined;
    const target = attribute === undefined ? null : token.attrGet(attribute);
    if (attribute === undefined || typeof target !== 'string' || /^([a-z]+:|#|\/)/.test(target)) continue;
    const { pathname, hash } = new URL(target, `http://package/${file}`);
    if (pathname.startsWith('/docs/')) token.attrSet(attribute, up + addressOf(pathname.slice(1)) + hash);
    else token.attrs = token.attrs?.filter(([key]) => key !== attribute) ?? null;
  }
}

/** Where a node serves a file of docs/, from its own root. */
function addressOf(file: string): string {
  return file.endsWith('.md') ? `docs/${nameOf(file)}`.replace(/\/$/, '') : file;
}

/** Forges show a picture of a given width by its HTML; a page here by Markdown's own form. */
function imagesAsMarkdown(source: string): string {
  return source.replaceAll(/<img src="([^"]+)"[^>]* alt="([^"]*)">/g, '![$2]($1)');
}
