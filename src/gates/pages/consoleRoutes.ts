/** Serves the console: its page, the files it is made of, and the ways there. */
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';
import { readConsoleFiles } from '../../assets/consoleFiles.ts';
import { answerFixed, type FixedText, fixedText } from '../rest/fixedText.ts';
import { CONSOLE_PATH } from '../rest/login/loginRoutes.ts';
import type { OpenRoute } from '../rest/openRoute.ts';
import { tagged } from '../rest/respond.ts';
import type { Gate } from '../shell/gate.ts';
import { escaped } from './escaped.ts';
import { CONSOLE_POLICY, FILE_POLICY, WORKER_POLICY } from './pagePolicy.ts';
import { redirect } from './redirect.ts';

const SHELL = 'index.html';
const WORKER = 'sw.js';

/** The service worker and the manifest have no hash in their names: what they are is asked for each time. */
const HASHED = /-[0-9A-Z]{8}\.\w+$/;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
};

/** Where the program was not built. */
const NONE = { texts: new Map<string, string>(), images: new Map<string, Uint8Array>() };

export function consoleRoutes(gate: Gate): readonly OpenRoute[] {
  // Read at the first request for one: a start is sooner done, and each gate is a start of its own.
  let read: Files | undefined;
  const files = () => (read ??= readFiles(gate));
  return [
    redirect('/console', 'consoleHome', 'Sends a browser to the console.', 'console/'),
    {
      method: 'GET',
      path: CONSOLE_PATH,
      name: 'console',
      summary: 'The console: where the people behind the agents look and decide.',
      answers: { 200: { description: 'The page.', media: 'text/html' }, 304: { description: 'It has not changed.' } },
      errors: [404],
      answer(context) {
        const { page } = files();
        if (page === undefined) throw new Fault('NOT_FOUND', 'This program runs without a console: it was not built.');
        context.set('Content-Security-Policy', CONSOLE_POLICY);
        answerFixed(context, page, 'text/html; charset=utf-8');
      },
    },
    {
      method: 'GET',
      path: `${CONSOLE_PATH}:file`,
      name: 'consoleFile',
      summary: 'Part of the console.',
      answers: { 200: { description: 'The file.', media: 'text/javascript' } },
      errors: [404],
      async answer(context) {
        const name = String((context.params as Record<string, string | undefined>)['file']);
        const { texts, images, packed } = files();
        const image = images.get(name);
        if (image !== undefined) {
          serveImage(context, image);
          return;
        }
        const text = name === SHELL ? undefined : texts.get(name);
        if (text === undefined) throw new Fault('NOT_FOUND', `The console has no file ${name}.`);
        await serve(context, name, text, packed);
      },
    },
  ];
}

interface Files {
  readonly texts: ReadonlyMap<string, FixedText>;
  readonly images: ReadonlyMap<string, Uint8Array>;
  /** None where the program was not built. */
  readonly page: FixedText | undefined;
  /** Files as they were compressed before, by their names with the encoding. */
  readonly packed: Map<string, Promise<Buffer>>;
}

function readFiles(gate: Gate): Files {
  const { texts, images } = readConsoleFiles() ?? NONE;
  const shell = texts.get(SHELL);
  const page = shell === undefined ? undefined : fixedText(inEnvironment(shell, gate));
  return { texts: new Map([...texts].map(([name, text]) => [name, fixedText(text)])), images, page, packed: new Map() };
}

/** An icon: it has no hash in its name, and is small. */
function serveImage(context: Context, image: Uint8Array): void {
  context.set('Content-Security-Policy', FILE_POLICY);
  context.set('Cache-Control', 'public, max-age=86400');
  context.type = 'image/png';
  context.body = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
}

/** What browsers take, the smallest first; most take Brotli only where the page is secure or on their own machine. */
const ENCODINGS: Readonly<Record<string, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: promisify<Uint8Array, Buffer>(brotliCompress),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

async function serve(
  context: Context,
  name: string,
  { bytes, tag }: FixedText,
  packed: Files['packed'],
): Promise<void> {
  // What a worker may load goes by the answer that brought it.
  context.set('Content-Security-Policy', name === WORKER ? WORKER_POLICY : FILE_POLICY);
  if (HASHED.test(name)) context.set('Cache-Control', 'public, max-age=31536000, immutable');
  else if (tagged(context, tag)) return;
  context.type = TYPES[name.slice(name.lastIndexOf('.') + 1)] as string;
  context.vary('Accept-Encoding');
  const accepted = Object.keys(ENCODINGS).find((encoding) => context.acceptsEncodings(encoding) !== false);
  const pack = ENCODINGS[String(accepted)];
  if (pack === undefined) {
    context.body = bytes;
    return;
  }
  const key = `${name} ${accepted}`;
  const smaller = packed.get(key) ?? pack(bytes);
  packed.set(key, smaller);
  context.set('Content-Encoding', String(accepted));
  context.body = await smaller;
}

/** The page with what it says of its node: where it is at home, and whether money moves. */
function inEnvironment(html: string, { settings: { baseUrl, environment, extensions, did, version } }: Gate): string {
  return html
    .replaceAll('{{home}}', escaped(baseUrl))
    .replaceAll('{{environment}}', environment)
    .replaceAll('{{extensions}}', extensions.join(' '))
    .replaceAll('{{did}}', escaped(did))
    .replaceAll('{{version}}', escaped(version));
}
