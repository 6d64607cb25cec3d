/** Routes of the documents that describe this node, and of the page that shows them. Everything comes from this package. */
import { z } from 'zod';
import { listAssets, readAsset, readAssetBytes } from '../assets/assets.ts';
import { isDocumented } from '../gates/pages/openRoutes.ts';
import { answerFixed, type FixedText, fixedText } from '../gates/rest/fixedText.ts';
import type { OpenRoute } from '../gates/rest/openRoute.ts';
import { listGuides, readGuide, renderGuide, titleOf } from './guidePages.ts';
import type { DocumentFacts } from './openapi/document.ts';
import type { OpenrpcFacts } from './openrpc/openrpcDocument.ts';

/** Scripts and styles of the page come from this node, and from nowhere else (CSP Level 3). */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FILES: Readonly<Record<string, string>> = {
  'page.js': 'text/javascript; charset=utf-8',
  'operation.js': 'text/javascript; charset=utf-8',
  'schema.js': 'text/javascript; charset=utf-8',
  'curl.js': 'text/javascript; charset=utf-8',
  'element.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
};

/**
 * The two documents are made, and what they take is loaded, at the first request: most nodes are never asked for them.
 * @param others the routes that the OpenAPI document describes besides those of the table and these
 */
export function documentRoutes(
  facts: DocumentFacts & OpenrpcFacts & { readonly isSandbox: boolean },
  others: readonly OpenRoute[],
): readonly OpenRoute[] {
  // Many may ask at once before the first has its answer: a document is made once for all of them.
  let page: FixedText | undefined;
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
        openapi ??= makeOpenapi(facts, () => [...others.filter(isDocumented), ...routes]);
        answerFixed(context, await openapi, 'application/json; charset=utf-8');
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
        openrpc ??= makeOpenrpc(facts);
        answerFixed(context, await openrpc, 'application/json; charset=utf-8');
      },
    },
    {
      method: 'GET',
      path: '/docs',
      name: 'docs',
      summary: 'Shows these documents as a page.',
      answers: { 200: { description: 'The page.', media: 'text/html' }, 304: unchanged },
      answer(context) {
        context.set('Content-Security-Policy', PAGE_POLICY);
        page ??= fixedText(
          readDocs('index.html')
            .replace('{{sandbox}}', facts.isSandbox ? ' <small>SANDBOX</small>' : '')
            .replace('{{guides}}', guideList()),
        );
        answerFixed(context, page, 'text/html; charset=utf-8');
      },
    },
  ];
  return [...routes, ...guideRoutes(facts.isSandbox), ...imageRoutes(), ...pageFiles()];
}

async function makeOpenapi(facts: DocumentFacts, described: () => readonly OpenRoute[]): Promise<FixedText> {
  const { openapiDocument } = await import('./openapi/document.ts');
  return fixedText(JSON.stringify(openapiDocument(facts, described())));
}

async function makeOpenrpc(facts: OpenrpcFacts): Promise<FixedText> {
  const { openrpcDocument } = await import('./openrpc/openrpcDocument.ts');
  const { examples } = await import('./examples/examples.ts');
  return fixedText(JSON.stringify(openrpcDocument(facts, examples)));
}

/** What the page is made of; the document is about what programs call. */
function pageFiles(): OpenRoute[] {
  return Object.entries(FILES).map(([name, type]) => {
    const text = fixedText(readDocs(name));
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

/** Each page of docs/, such as /docs/policies; errors carry the address of theirs, /docs/errors. */
function guideRoutes(isSandbox: boolean): OpenRoute[] {
  return listGuides().map((guide) => {
    const { name, file } = guide;
    let html: Promise<FixedText> | undefined;
    return {
      method: 'GET',
      path: `/docs/${name}`,
      name: name === 'errors' ? name : `guide ${name}`,
      summary: name === 'errors' ? 'Explains every error and reason code.' : `Shows the page ${file}.`,
      answers: { 200: { description: 'The page.', media: 'text/html' }, 304: unchanged },
      async answer(context) {
        html ??= renderGuide(guide, isSandbox).then(fixedText);
        const text = await html;
        context.set('Content-Security-Policy', PAGE_POLICY);
        answerFixed(context, text, 'text/html; charset=utf-8');
      },
    };
  });
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

/** Records of decisions are listed on a page of their own. */
function guideList(): string {
  const listed = listGuides().filter(({ name }) => !name.startsWith('adr/'));
  const items = listed.map((guide) => `<li><a href="docs/${guide.name}">${titleOf(readGuide(guide))}</a></li>`);
  return `<ul class="guides">\n${items.join('\n')}\n</ul>`;
}

const unchanged = { description: 'Unchanged since the entity tag that was sent.' };

function readDocs(name: string): string {
  return readAsset(`src/documents/page/${name}`);
}
