/** Stack traces of the program as it is installed: a bundle, whose lines say nothing to a reader. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { countersign } from '../support/command.ts';

test('a stack trace names the file and the line of the source', async () => {
  const { stderr } = await countersign(['health', '--url', 'http://127.0.0.1:9'], { LOG_LEVEL: 'debug' });
  const [, file = '', line] = /^ {4}at .*?(\/\S+\/src\/cli\/server\/checkHealth\.ts):(\d+):\d+\)?$/m.exec(stderr) ?? [];
  assert.notEqual(file, '', stderr);
  assert.match(String(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]), /Unreachable/);
  assert.doesNotMatch(stderr, /chunk-/);
});
