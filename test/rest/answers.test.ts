/** What an answer costs before it is written. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startChild } from '../support/child.ts';

/** Says at its end which of Node's own modules behind `fetch` the process has loaded. */
const TELL = "process.on('exit',()=>console.log('loaded:'+process.moduleLoadList.filter((name)=>/undici/.test(name))))";

test('a node that is asked for JSON and for what is not there loads nothing of fetch for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-answers-'));
  try {
    const node = await startChild({
      DATA_DIR: folder,
      GATES: '0',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
    });
    for (const path of ['/healthz', '/.well-known/jwks.json', '/ap2/auth/ways', '/ap2/agents', '/nothing'])
      assert.match((await fetch(node.address + path)).headers.get('content-type') ?? '', /^application\/json;/, path);
    assert.equal(await node.stop(), 0);
    assert.match(node.output(), /^loaded:$/m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
