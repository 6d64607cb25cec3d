/** `countersign init`: the settings that a new node begins with are those that it then reads. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Ended, PROGRAM } from '../../support/command.ts';

describe('countersign init', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-init-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const countersign = (...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } };
      execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, json: () => JSON.parse(stdout) }),
      );
    });

  test('refuses an address that is none, and writes nothing then', async () => {
    const refused = await countersign('init', '--base-url', 'nowhere');
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /BASE_URL="nowhere": must be an http or https address/);
    await assert.rejects(stat(join(folder, 'countersign.toml')));
  });

  test('writes a file that only its owner reads, from which the node takes its settings', async () => {
    const made = await countersign('init', '--base-url', 'http://localhost:8402');
    assert.match(made.stdout, /^countersign\.toml says .*sandbox.*\nNext: countersign serve\n$/);
    assert.equal((await stat(join(folder, 'countersign.toml'))).mode & 0o777, 0o600);
    const { stdout } = await countersign('config', 'check', '--json');
    const sources = new Map(
      JSON.parse(stdout).settings.map((each: { name: string; source: string }) => [each.name, each.source]),
    );
    assert.equal(sources.get('AP2_ENV'), 'countersign.toml');
    assert.equal(sources.get('BASE_URL'), 'countersign.toml');
    assert.equal(sources.get('PORT'), 'default');
  });

  test('leaves a file alone that is there', async () => {
    const text = await readFile(join(folder, 'countersign.toml'), 'utf8');
    const refused = await countersign('init', '--production');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /countersign\.toml is there/);
    assert.equal(await readFile(join(folder, 'countersign.toml'), 'utf8'), text);
  });
});
