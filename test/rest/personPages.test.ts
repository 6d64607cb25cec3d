/** The pages for a person say which node they are of, and whether money moves there. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';

const LINKS = [`/approve/apr_${'0'.repeat(26)}`, `/enroll/${'A'.repeat(43)}`];

for (const [environment, isMarked] of [
  ['production', false],
  ['sandbox', true],
] as const) {
  test(`in the ${environment} ${isMarked ? 'they say SANDBOX' : 'nothing says SANDBOX'}`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'countersign-test-'));
    const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', AP2_ENV: environment };
    const node = await startNode(readConfig({ ...settings, BASE_URL: 'https://pay.example.com/money' }));
    try {
      for (const link of LINKS) {
        const page = await fetch(node.address + link);
        const html = await page.text();
        assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
        assert.match(html, /data-home="https:\/\/pay\.example\.com\/money"/);
        assert.match(html, /<bdi class="node">pay\.example\.com<\/bdi>/);
        assert.equal(/sandbox/i.test(html), isMarked, html);
        assert.ok(!html.includes('{{'), 'nothing is left open');
      }
      const docs = await (await fetch(`${node.address}/docs`)).text();
      assert.equal(/sandbox/i.test(docs), isMarked, docs);
      assert.ok(!docs.includes('{{'));
    } finally {
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}
