/** What a node says as it begins to serve. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greeting } from '../../../src/cli/server/serve.ts';
import { readConfig } from '../../../src/node/config/config.ts';
import type { startNode } from '../../../src/node/startNode.ts';

type Node = Awaited<ReturnType<typeof startNode>>;

test('a node names MCP and standard A2A where it runs with them, and says where it has no rail', () => {
  const told = (rails: readonly string[], settings: Readonly<Record<string, string>>) => {
    const deps = { issuer: { did: 'did:key:z6Mk' }, rails: new Map(rails.map((rail) => [rail, {}])) };
    const node = { baseUrl: 'http://localhost:8402', engine: 'sqlite', deps } as unknown as Node;
    return greeting(node, readConfig(settings), []);
  };
  const all = told(['CARD_RAIL'], {});
  assert.match(all, /^ {2}MCP {7}http:\/\/localhost:8402\/mcp$/m);
  assert.match(all, /^ {2}A2A {7}http:\/\/localhost:8402\/a2a\/v1$/m);
  assert.doesNotMatch(all, /No rail/);
  const none = told([], { EXTENSIONS: 'none' });
  assert.doesNotMatch(none, /MCP|A2A/);
  assert.match(none, /^ {2}No rail {3}carts are refused \(RAIL_UNAVAILABLE\); .*EXTENSIONS$/m);
});
