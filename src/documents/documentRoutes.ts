/** Routes of the documents that describe this node, and of the page that shows them. Everything comes from this package. */
import { z } from 'zod';
import { listAssets, readAsset, readAssetBytes, readLibraryAsset } from '../assets/assets.ts';
import { isDocumented } from '../gates/pages/openRoutes.ts';
import { answerFixed, type FixedText, fixedText } from '../gates/rest/fixedText.ts';
import type { OpenRoute } from '../gates/rest/openRoute.ts';
import type { Api, DocumentFacts } from './openapi/document.ts';
import type { OpenrpcFacts } from './openrpc/openrpcDocument.ts';
import { frame, renderPage } from './site/renderPage.ts';
import { contents, INDEX, listPages, readPage, type SitePage } from './site/sitePages.ts';

const HTML = 'text/html; charset=utf-8';

/** Scripts and styles of the page come from this node, and from nowhere else (CSP Level 3). */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SCRIPT = 'text/javascript; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const FILES: Readonly<Record<string, string>> = {
  'theme.js': SCRIPT,
  'site.js': SCRIPT,
  'page.js': SCRIPT,
  'operation.js': SCRIPT,
  'schema.js': SCRIPT,
  'request.js': SCRIPT,
  'tryIt.js': SCRIPT,
  'element.js': SCRIPT,
  'site.css': 'text/css; charset=utf-8',
  'api.css': 'text/css; charset=utf-8',
};

/**
 * The two documents are made, and what they take is loaded, at the first request: most nodes are never asked for them.
 * @param loadApi loads what the OpenAPI document says of operations
 * @param others the routes that it describes besides those of operations and these
 */
export function documentRoutes(
  facts: DocumentFacts & OpenrpcFacts & { readonly isSandbox: boolean },
  loadApi: () => Promise<Api>,
  others: readonly OpenRoute[],
): readonly OpenRoute[] {
  // Many may ask at once before the first has its answer: a document is made once for all of them.
  let openrpc: Promise<FixedText> | undefined;
  let openapi: Promise<FixedText> | undefined;
  const routes: readonly OpenRoute[] = [
    {
      method: 'GET',
      path: '/openapi.json',
      name: 'openapi',
      summary: 'Shows this document.',
      answers: {
        200: { description: 'OpenAPI 3.1.', schema: z.looseObject({ openapi: z.string() }) },
        304: unchanged,
      },
      async answer(context) {
        openapi ??= makeOpenapi(facts, loadApi, () => [...others.filter(isDocumented), ...routes]);
        answerFixed(context, await openapi, JSON_TYPE);
      },
    },
    {
      method: 'GET',
      path: '/openrpc.json',
      name: 'openrpc',
      summary: 'Shows the OpenRPC document of the gateway between agents.',
      answers: {
        200: { description: 'OpenRPC 1.3.', schema: z.looseObject({ openrpc: z.string() }) },
        304: unchanged,
      },
      async answer(context) {
        openrpc ??= makeOpenrpc(facts, loadApi);
        answerFixed(context, await openrpc, JSON_TYPE);
      },
    },
    { ...htmlRoute(INDEX, facts.isSandbox), name: 'docs', summary: 'Shows what there is to read, by who reads it.' },
    everythingRoute(),
  ];
  return [...routes, ...siteRoutes(facts.isSandbox), ...dataRoutes(), ...imageRoutes(), ...pageFiles()];
}

async function makeOpenapi(
  facts: DocumentFacts,
  loadApi: () => Promise<Api>,
  described: () => readonly OpenRoute[],
): Promise<FixedText> {
  const { openapiDocument } = await import('./openapi/document.ts');
  return fixedText(JSON.stringify(openapiDocument(facts, await loadApi(), described())));
}

async function makeOpenrpc(facts: OpenrpcFacts, loadApi: () => Promise<Api>): Promise<FixedText> {
  const { openrpcDocument } = await import('./openrpc/openrpcDocument.ts');
  const { examples } = await import('./examples/examples.ts');
  return fixedText(JSON.stringify(openrpcDocument(facts, examples, await loadApi())));
}

/** What the page is made of; the document is about what programs call. */
function pageFiles(): OpenRoute[] {
  const own = Object.entries(FILES).map(([name, type]) => [name, type, readDocs(name)] as const);
  const library = ['minisearch.js', SCRIPT, readLibraryAsset('minisearch', 'dist/es/index.js')] as const;
  return [...own, library].map(([name, type, content]) => {
    const text = fixedText(content);
    return {
      method: 'GET',
      path: `/docs/${name}`,
      name,
      summary: 'Part of the page of the documents.',
      answers: { 200: { description: 'The file.', media: type } },
      answer: (context) => answerFixed(context, text, type),
    };
  });
}

/** The page of the operations, which its scripts lay out from the OpenAPI document. */
function apiPage(isSandbox: boolean): string {
  const head =
    '<link rel="stylesheet" href="../docs/api.css">\n<script type="module" src="../docs/page.js"></script>\n';
  const body = readDocs('api.html');
  const page = frame({ title: 'The API · Countersign', up: '../', isSandbox, current: undefined, head, body });
  return isSandbox ? page.replace('<body ', '<body data-sandbox ') : page;
}

/** Each page of docs/, such as /docs/policies, and as Markdown, /docs/policies.md; errors carry the address of theirs, /docs/errors. */
function siteRoutes(isSandbox: boolean): OpenRoute[] {
  return [
    markdownRoute(INDEX),
    ...listPages().flatMap((page) => [htmlRoute(page, isSandbox), markdownRoute(page)]),
    searchRoute(),
    sectionsRoute(),
    apiRoute(isSandbox),
  ];
}

interface TextRoute extends Pick<OpenRoute, 'path' | 'name' | 'summary'> {
  readonly type: string;
  /** What the answer is. */
  readonly description: string;
  readonly header?: readonly [name: string, value: string];
  /** Called at the first request: most nodes are not asked. */
  make(): string | Promise<string>;
}

/** A text that does not change while the node serves. */
function textRoute({ type, description, header, make, ...row }: TextRoute): OpenRoute {
  // Many may ask at once before the first has its answer.
  let text: Promise<FixedText> | undefined;
  return {
    method: 'GET',
    ...row,
    answers: { 200: { description, media: type.split(';')[0] as string }, 304: unchanged },
    async answer(context) {
      text ??= Promise.resolve(make()).then(fixedText);
      const made = await text;
      if (header !== undefined) context.set(...header);
      answerFixed(context, made, type);
    },
  };
}

function apiRoute(isSandbox: boolean): OpenRoute {
  return textRoute({
    path: '/docs/api',
    name: 'api page',
    summary: 'Shows every operation, which can be tried in the sandbox.',
    type: HTML,
    description: 'The page.',
    header: ['Content-Security-Policy', PAGE_POLICY],
    make: () => apiPage(isSandbox),
  });
}

function htmlRoute(page: SitePage, isSandbox: boolean): OpenRoute {
  const { name, file } = page;
  return textRoute({
    path: name === '' ? '/docs' : `/docs/${name}`,
    name: name === 'errors' ? name : `guide ${name}`,
    summary: name === 'errors' ? 'Explains every error and reason code.' : `Shows the page ${file}.`,
    type: HTML,
    description: 'The page.',
    header: ['Content-Security-Policy', PAGE_POLICY],
    make: () => renderPage(page, isSandbox),
  });
}

function markdownRoute(page: SitePage): OpenRoute {
  return textRoute({
    path: `/docs/${page.name === '' ? 'index' : page.name}.md`,
    name: `markdown ${page.name}`,
    summary: `Shows the page ${page.file} as Markdown.`,
    type: MARKDOWN,
    description: 'The page.',
    make: () => readPage(page),
  });
}

function searchRoute(): OpenRoute {
  return textRoute({
    path: '/docs/search.json',
    name: 'search index',
    summary: 'The index that the pages of the documents search in the browser.',
    type: JSON_TYPE,
    description: 'The index of MiniSearch.',
    make: async () => (await import('./site/searchIndex.ts')).searchIndex(),
  });
}

function sectionsRoute(): OpenRoute {
  return textRoute({
    path: '/docs/sections.json',
    name: 'sections',
    summary: 'The sections of the pages, by their titles, headings and places; the console finds them by name.',
    type: JSON_TYPE,
    description: 'A list of title, heading and place.',
    make: async () => (await import('./site/searchIndex.ts')).sectionList(),
  });
}

/** https://llmstxt.org: all pages in one text, for a model that reads them at once. */
function everythingRoute(): OpenRoute {
  return textRoute({
    path: '/llms-full.txt',
    name: 'llms full',
    summary: 'All pages of the documents in one text, for a language model.',
    type: 'text/plain; charset=utf-8',
    description: 'Markdown.',
    make: () =>
      contents()
        .flatMap(({ pages }) => pages.map(readPage))
        .join('\n\n'),
  });
}

const EXTENSIONS = 'reference/extensions/';

/** Schemas and vectors beside the pages of extensions, for programs of others: at the page's address, on this node and at a forge. */
function dataRoutes(): OpenRoute[] {
  const names = listAssets(`docs/${EXTENSIONS}`).filter((name) => name.endsWith('.json'));
  return names.map((name) =>
    textRoute({
      path: `/docs/extensions/${name}`,
      name,
      summary: 'Data of a page of the documents: a schema, or vectors.',
      type: JSON_TYPE,
      description: 'The data.',
      header: ['Access-Control-Allow-Origin', '*'],
      make: () => readAsset(`docs/${EXTENSIONS}${name}`),
    }),
  );
}

function imageRoutes(): OpenRoute[] {
  return listAssets('docs/images/').map((name) => {
    let bytes: Buffer | undefined;
    return {
      method: 'GET',
      path: `/docs/images/${name}`,
      name,
      summary: 'A picture of a page of the documents.',
      answers: { 200: { description: 'The picture.', media: 'image/png' } },
      answer(context) {
        bytes ??= Buffer.from(readAssetBytes(`docs/images/${name}`));
        context.type = 'image/png';
        context.body = bytes;
      },
    };
  });
}

const unchanged = { description: 'Unchanged since the entity tag that was sent.' };

function readDocs(name: string): string {
  return readAsset(`src/documents/page/${name}`);
}
