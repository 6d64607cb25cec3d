/** A page of docs/ as a node serves it: rendered from Markdown, in the frame that all of them share. It takes no script to read. */
import { anchorOf, contents, INDEX, nameOf, readPage, type SitePage, titleOf } from './sitePages.ts';

interface PageContent {
  readonly html: string;
  /** The headings of the second and third level. */
  readonly headings: readonly Heading[];
}

interface Heading {
  readonly level: 2 | 3;
  readonly text: string;
  readonly anchor: string;
}

/** @param isSandbox whether the page says so */
export async function renderPage(page: SitePage, isSandbox: boolean): Promise<string> {
  const up = upFrom(page);
  const source = readPage(page);
  const { html, headings } = await render(source, page.file, up);
  const title = titleOf(source);
  const name = page.name === '' ? title : `${title} · Countersign`;
  return frame({
    title: name,
    up,
    isSandbox,
    current: page,
    head: '',
    body: `<main class="guide" id="content" tabindex="-1">
${html}
${page.name === '' ? '' : `<p class="source"><a href="${up}docs/${page.name}.md">This page as Markdown</a></p>`}
${nextOf(page, up)}
</main>
${onThisPage(headings)}`,
  });
}

/** The way from a page's address to the node's own. The node's public address may have a path, so that no address is absolute. */
function upFrom({ name }: SitePage): string {
  return name === '' ? '' : '../'.repeat(name.split('/').length);
}

interface Frame {
  readonly title: string;
  readonly up: string;
  readonly isSandbox: boolean;
  /** The page that is shown; undefined for one that is not of docs/. */
  readonly current: SitePage | undefined;
  /** What else its head has. */
  readonly head: string;
  readonly body: string;
}

/** What every page has around it. */
export function frame({ title, up, isSandbox, current, head, body }: Frame): string {
  const sandbox = isSandbox ? '<small class="badge">SANDBOX</small>' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${up}pages/mark.svg">
<link rel="stylesheet" href="${up}pages/tokens.css">
<link rel="stylesheet" href="${up}docs/site.css">
<script src="${up}docs/theme.js"></script>
<script type="module" src="${up}docs/site.js"></script>
${head}</head>
<body data-up="${up}">
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="brand" href="${up}docs"><img src="${up}pages/mark.svg" alt="" width="26" height="26"><span>Countersign <span class="of">docs</span></span></a>${sandbox}
<form class="search" role="search"><label for="q" class="unseen">Search the documentation</label><input id="q" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ul id="found" class="found" role="listbox" aria-label="What was found" hidden></ul></form>
<nav class="ways" aria-label="Elsewhere on this node"><a class="to-contents" href="#contents">Contents</a><a href="${up}docs/api">API</a><a href="${up}console/">Console</a></nav>
</header>
<div class="site">
${body}
${tree(current, up)}
</div>
</body>
</html>
`;
}

/** All pages by kind, with the one that is shown marked. */
function tree(current: SitePage | undefined, up: string): string {
  const link = ({ name, file }: SitePage, title: string) => {
    const here = current?.file === file ? ' aria-current="page"' : '';
    return `<li><a href="${up}docs/${name}"${here}>${escaped(title)}</a></li>`;
  };
  const sections = contents().map(({ title, pages }) => {
    const links = pages.map((page) => link(page, shortTitle(page)));
    const api = title === 'Reference' ? [`<li><a href="${up}docs/api">The API, operation by operation</a></li>`] : [];
    const adr = title === 'Explanation' ? [link({ name: 'adr', file: 'docs/adr/README.md' }, 'Decisions')] : [];
    return `<section><h2>${title}</h2><ul>${[...api, ...links, ...adr].join('')}</ul></section>`;
  });
  return `<nav class="tree" id="contents" aria-label="All pages">${sections.join('\n')}</nav>`;
}

/** Without what its section says already. */
function shortTitle(page: SitePage): string {
  const title = titleOf(readPage(page))
    .replaceAll('`', '')
    .replace(/^Tutorial: /, '');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function onThisPage(headings: readonly Heading[]): string {
  const own = headings.filter(({ level }) => level === 2);
  if (own.length < 2) return '';
  const items = own.map(({ text, anchor }) => `<li><a href="#${encodeURIComponent(anchor)}">${escaped(text)}</a></li>`);
  return `<aside class="on-page" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}

/** The page before and the one after, within the order of all of them. */
function nextOf(page: SitePage, up: string): string {
  const all = contents().flatMap(({ pages }) => pages);
  const at = all.findIndex(({ file }) => file === page.file);
  if (at === -1) return '';
  const [before, after] = [all[at - 1], all[at + 1]];
  const link = (to: SitePage | undefined, rel: 'prev' | 'next', says: string) =>
    to === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${up}docs/${to.name}"><small>${says}</small>${escaped(shortTitle(to))}</a>`;
  return `<nav class="turn" aria-label="Pages beside this one">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`;
}

/** @param up the way from the page's address to the node's own */
async function render(source: string, file: string, up: string): Promise<PageContent> {
  // Loaded at the first asking: most starts are of nodes whose pages no person reads.
  const { default: Markdown } = await import('markdown-it');
  const markdown = Markdown({ html: false });
  const headings: Heading[] = [];
  markdown.core.ruler.push('anchors', (state) => anchorHeadings(state, headings));
  markdown.core.ruler.push('links', (state) => linkPages(state, file, up));
  markdown.core.ruler.push('heads', emptyHeads);
  markdown.renderer.rules.table_open = () =>
    '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table>\n';
  markdown.renderer.rules.table_close = () => '</table>\n</div>\n';
  // A wide block is scrolled by the keyboard, too.
  const html = markdown.render(imagesAsMarkdown(source)).replaceAll('<pre>', '<pre tabindex="0">');
  return { html, headings };
}

/** What markdown-it has read, as far as it is changed here. */
interface State {
  readonly tokens: Token[];
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

interface Token {
  readonly type: string;
  tag: string;
  content: string;
  children: Token[] | null;
  attrs: [string, string | number][] | null;
  attrGet(name: string): string | number | null;
  attrSet(name: string, value: string): void;
}

/** Each heading gets a name, and a link to itself, for a reader who wants to send it. */
function anchorHeadings({ tokens, Token }: State, headings: Heading[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const inline = tokens[index + 1];
    const text = plainText(inline);
    const anchor = anchorOf(text);
    token.attrSet('id', anchor);
    if (token.tag === 'h2' || token.tag === 'h3') headings.push({ level: token.tag === 'h2' ? 2 : 3, text, anchor });
    if (token.tag === 'h1' || inline?.children == null) continue;
    const open = new Token('link_open', 'a', 1);
    open.attrs = [
      ['class', 'anchor'],
      ['href', `#${encodeURIComponent(anchor)}`],
      ['aria-label', `Link to ${text}`],
    ];
    const sign = new Token('text', '', 0);
    sign.content = '#';
    inline.children.push(open, sign, new Token('link_close', 'a', -1));
  }
}

/** Markdown has no table without a head: one that says nothing is none, and a cell of it that does is no heading. */
function emptyHeads(state: State): void {
  const { tokens } = state;
  const isEmpty = (at: number) => tokens[at]?.type === 'th_open' && tokens[at + 1]?.content === '';
  for (const [at, token] of tokens.entries()) {
    if (!isEmpty(at)) continue;
    token.tag = 'td';
    (tokens[at + 2] as Token).tag = 'td';
  }
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    if (tokens[at]?.type !== 'thead_open') continue;
    const end = tokens.findIndex(({ type }, place) => place > at && type === 'thead_close');
    if (tokens.slice(at, end).every(({ content }) => content === '')) tokens.splice(at, end - at + 1);
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
  if (file === INDEX.file) return 'docs';
  if (file.endsWith('.json')) return `docs/${nameOf(file.replace(/json$/, 'md'))}.json`;
  return file.endsWith('.md') ? `docs/${nameOf(file)}` : file;
}

/** Forges show a picture of a given width by its HTML; a page here by Markdown's own form. */
function imagesAsMarkdown(source: string): string {
  return source.replaceAll(/<img src="([^"]+)"[^>]* alt="([^"]*)">/g, '![$2]($1)');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
