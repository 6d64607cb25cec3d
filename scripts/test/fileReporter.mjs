// A reporter of node:test that gives a line of JSON for each test at the top of a file: where it stands, and how long it took.
import { relative } from 'node:path';

export default async function* report(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || data.file === undefined) continue;
    yield `${JSON.stringify({ file: relative('.', data.file), ms: Math.round(data.details.duration_ms) })}\n`;
  }
}
