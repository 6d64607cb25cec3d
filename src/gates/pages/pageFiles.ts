/** The files that the pages for a person are made of, read once. */
import { readAsset, readLibraryAsset } from '../../assets/assets.ts';
import { answerFixed, fixedText } from '../rest/fixedText.ts';
import type { OpenRoute } from '../rest/openRoute.ts';

const FILES = [
  'tokens.css',
  'page.css',
  'approve.js',
  'clamp.js',
  'enroll.js',
  'follow.js',
  'page.js',
  'passkey.js',
  'mark.svg',
];

/** Files of libraries, under the name that the pages load them by. */
const LIBRARY_FILES = {
  'simplewebauthn.js': () => readLibraryAsset('@simplewebauthn/browser', 'dist/bundle/index.umd.min.js'),
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

export function pageFiles(): readonly OpenRoute[] {
  const texts = [
    ...FILES.map((name) => [name, readPageFile(name)] as const),
    ...Object.entries(LIBRARY_FILES).map(([name, read]) => [name, read()] as const),
  ];
  return texts.map(([name, content]) => {
    const text = fixedText(content);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] as string;
    return {
      method: 'GET',
      path: `/pages/${name}`,
      name,
      summary: 'Part of a page for a person.',
      answers: { 200: { description: 'The file.', media: type } },
      answer(context) {
        answerFixed(context, text, type);
      },
    };
  });
}

export function readPageFile(name: string): string {
  return readAsset(`src/gates/pages/${name}`);
}
