/** The systemd units are valid where systemd can say so, and what is started by them and by the image exists. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const UNITS = readdirSync('deploy/systemd').map((name) => join('deploy/systemd', name));
const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

test('systemd takes every unit', { skip: hasSystemd ? false : 'there is no systemd here' }, () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', ...UNITS], { encoding: 'utf8' });
  // The binary is not installed here, and this machine has units of its own.
  const complaints = stderr.split('\n').filter((line) => /countersign/.test(line) && !/is not executable/.test(line));
  assert.deepEqual(complaints, []);
});

test('the node runs locked in: its exposure, as systemd rates it, is low', { skip: !hasSystemd }, () => {
  const args = ['security', '--offline=true', '--threshold=20', 'deploy/systemd/countersign.service'];
  execFileSync('systemd-analyze', args, { stdio: 'ignore' });
});

test('the service waits longer for the end of a node than a node takes', () => {
  const limit = /^TimeoutStopSec=(\d+)$/m.exec(readFileSync('deploy/systemd/countersign.service', 'utf8'))?.[1];
  const own = /^const STOP_MS = ([\d_]+);$/m.exec(readFileSync('src/node/startNode.ts', 'utf8'))?.[1];
  assert.ok(Number(limit) * 1000 >= Number(own?.replaceAll('_', '')) + 3000, `${limit} s against ${own} ms`);
});

test('every command that a unit or the image starts is a command of the program', async () => {
  const texts = [...UNITS, 'deploy/Dockerfile'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const started = [
    ...texts.matchAll(/bin\/countersign (\w+)/g),
    ...texts.matchAll(/\["\/countersign", "(\w+)"\]/g),
    ...texts.matchAll(/^CMD \["(\w+)"\]/gm),
  ].map((match) => match[1] as string);
  assert.deepEqual([...new Set(started)].sort(), ['backup', 'health', 'serve', 'witness']);
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/countersign.js', '--help']);
  for (const command of started) assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'), command);
});

test('what deploy files name as documentation is a page that a node serves, with the heading that is named', () => {
  const texts = [...UNITS, 'deploy/prometheus/countersign.rules.yml']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const pages = [...texts.matchAll(/\/docs\/([\w-]+)(?:#([\w-]+))?/g)];
  assert.ok(pages.length >= 3);
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' });
  for (const [address, page, heading] of pages) {
    const file = files.find((each) => basename(each) === `${page}.md`);
    assert.ok(file, address);
    const headings = [...readFileSync(join('docs', file), 'utf8').matchAll(/^#+ (.*)$/gm)];
    const slugs = headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    assert.ok(heading === undefined || slugs.includes(heading), address);
  }
  assert.doesNotMatch(texts, /file:\/\/|[\w/]+\.md\b/);
});
