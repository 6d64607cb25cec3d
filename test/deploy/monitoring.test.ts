/** The alerts and the dashboard ask for metrics that a node has, by labels that these have. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { allRoutes } from '../../src/extensions/nodeOperations.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { type Node, startNode } from '../../src/node/startNode.ts';

/** What Prometheus itself adds. */
const OF_PROMETHEUS = new Set(['up', 'job', 'instance', 'le']);

interface Query {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** The metrics a query names, with the labels it selects by. */
function queriesIn(text: string): Query[] {
  return [...text.matchAll(/\b(countersign_\w+)(?:\{([^}]*)\})?/g)].map(([, metric, labels = '']) => ({
    metric: metric as string,
    labels: [...labels.matchAll(/(\w+)\s*=~?/g)].map((label) => label[1] as string),
  }));
}

function groupings(text: string): string[] {
  return [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => (match[1] as string).split(/,\s*/));
}

describe('monitoring', () => {
  let node: Node;
  let dataDir: string;
  let exposed: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-metrics-'));
    node = await startNode(readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }));
    // One of each, so that every series shows its labels.
    await fetch(`${node.address}/healthz`);
    node.deps.metrics.decision('issueIntent', ['AMOUNT_OVER_CAP']);
    node.deps.metrics.rail('CARD_RAIL', 'authorize', 'unknown');
    node.deps.metrics.delivery('delivered');
    exposed = await (await fetch(`${node.address}/metrics`)).text();
  });
  after(async () => {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const labelsOf = (metric: string): Set<string> | undefined => {
    const lines = exposed.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
    if (lines.length === 0) return undefined;
    return new Set(lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map((label) => label[1] as string)));
  };

  for (const [name, file] of [
    ['every alert', 'deploy/prometheus/countersign.rules.yml'],
    ['every panel', 'deploy/grafana/countersign.json'],
  ] as const) {
    test(`${name} asks for what a node exposes`, () => {
      const text = readFileSync(file, 'utf8').replaceAll('\\"', '"');
      const queries = queriesIn(text);
      assert.ok(queries.length > 5);
      const all = new Set(OF_PROMETHEUS);
      for (const { metric, labels } of queries) {
        const known = labelsOf(metric);
        assert.ok(known, `no node exposes ${metric}`);
        for (const label of known) all.add(label);
        for (const label of labels) assert.ok(known.has(label) || OF_PROMETHEUS.has(label), `${metric} by ${label}`);
      }
      for (const label of groupings(text)) assert.ok(all.has(label), `grouped by ${label}`);
    });
  }

  test('docs/guides/monitoring.md says of every alert what to look at, and of no other', () => {
    const rules = readFileSync('deploy/prometheus/countersign.rules.yml', 'utf8');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map((match) => match[1]);
    const rows = readFileSync('docs/guides/monitoring.md', 'utf8').match(/^\| Countersign.*$/gm) ?? [];
    const told = rows.flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? []);
    assert.deepEqual(told.sort(), alerts.sort());
  });

  test('routes that alerts name are routes of the node', () => {
    const text = readFileSync('deploy/prometheus/countersign.rules.yml', 'utf8');
    const [, names = ''] = /route=~"\/ap2\/\(([^)]*)\)"/.exec(text) ?? [];
    const paths = allRoutes.map(({ path }) => path);
    for (const name of names.split('|')) assert.ok(paths.includes(`/ap2/${name}`), name);
  });
});
