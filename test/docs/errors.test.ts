/** docs/reference/errors.md explains every code, and the link in an error leads to its explanation. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { CountersignError } from '../../client/index.ts';
import { countersign } from '../../client/index.ts';
import { REASON_CODES } from '../../protocol/reason.ts';
import { FAULTS, type FaultMapping } from '../../protocol/wire/fault.ts';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

describe('docs/reference/errors.md', () => {
  let world: World;
  let page: string;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    page = await readFile('docs/reference/errors.md', 'utf8');
  });
  after(() => world.close());

  const sections = () =>
    new Map(
      [...page.matchAll(/^### (\S+)\n([\s\S]*?)(?=^##|$(?![\s\S]))/gm)].map(([, code, text]) => [code, text ?? '']),
    );

  test('has every error and every reason code, in their order, and no other', () => {
    assert.deepEqual([...sections().keys()], [...Object.keys(FAULTS), ...REASON_CODES]);
  });

  test('tells cause and remedy of each, and of an error how it is numbered and called', () => {
    for (const [code, text] of sections()) assert.match(text, /- \*\*Cause:\*\* .+\n- \*\*Remedy:\*\* .+/, code);
    for (const [code, mapping] of Object.entries<FaultMapping>(FAULTS)) {
      const text = sections().get(code) ?? '';
      assert.match(text, new RegExp(`Status ${mapping.http}, JSON-RPC ${mapping.jsonrpc}\\.`), code);
      if (mapping.shownAs !== undefined) assert.match(text, new RegExp(`Shown as ${mapping.shownAs}`), code);
    }
  });

  test('is served, with a place for each code, under a policy that lets only its own files run', async () => {
    const served = await world.rest('GET', '/docs/errors', undefined, {});
    assert.equal(served.status, 200);
    assert.match(served.headers.get('content-type') ?? '', /^text\/html/);
    for (const code of [...Object.keys(FAULTS), ...REASON_CODES]) {
      assert.ok(served.text.includes(`<h3 id="${code}">${code}<a class="anchor" href="#${code}"`), code);
    }
    assert.doesNotMatch(served.text, /\*\*|`|<script(?![^>]* src=)/);
    assert.match(served.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });

  test('is where the link in an error leads, over REST and in the client', async () => {
    const missing = await world.rest('GET', '/ap2/payments/pm_none');
    assert.equal(missing.body.error.docs, `${world.node.baseUrl}/docs/errors#NOT_FOUND`);
    const unknown = await world.rest('GET', `/ap2/agents/${world.merchant.did}`);
    assert.equal(unknown.body.error.docs, `${world.node.baseUrl}/docs/errors#${unknown.body.error.code}`);
    const stranger = countersign({ baseUrl: world.node.address, credential: { apiKey: 'ak_test_none' } });
    const error = await stranger.listPayments().catch((thrown: CountersignError) => thrown);
    assert.ok('docs' in error);
    assert.match(String(error.docs), /\/docs\/errors#(INVALID_API_KEY|UNAUTHORIZED)$/);
  });
});
