// Has stack traces name the lines of the sources. Node can do that itself, and then holds the maps of all that it loads, some
// 8 MiB, for errors that hardly ever come: here a map is read with the first trace that leads through its file.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By the URL of a file of the program; undefined for one without. */
const maps = new Map();

export function nameSources() {
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${lineOf(site)}`)].join('\n');
}

function headOf(error) {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

function lineOf(site) {
  const text = String(site);
  try {
    const [url, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
    const { originalSource, originalLine, originalColumn } = mapOf(url)?.findEntry(line - 1, column - 1) ?? {};
    if (originalSource === undefined) return text;
    const source = fileURLToPath(new URL(originalSource, url));
    return text.replace(`${url}:${line}:${column}`, () => `${source}:${originalLine + 1}:${originalColumn + 1}`);
  } catch {
    // What went wrong is told all the same.
    return text;
  }
}

function mapOf(url) {
  if (!url?.startsWith('file:')) return undefined;
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
}
