/** docs/policies.md: every rule has an example whose cases come out as the page says, and its commands work. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { Rules } from '../../protocol/policy/rules.ts';
import { countersign, PROGRAM } from '../support/command.ts';
import { ADMIN_KEY, everyEngine, makeWorld } from '../support/world.ts';

describe('docs/policies.md', () => {
  let folder: string;
  let page: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-policies-'));
    page = await readFile('docs/policies.md', 'utf8');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const sections = () =>
    page
      .split(/^### /m)
      .slice(1)
      .map((text) => {
        const rule = /^`([\w.]+)`/.exec(text)?.[1] ?? '';
        const [policy = '', cases = ''] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');
        return { rule, policy, cases };
      });

  test('has every rule, in the order of the schema, and no other', () => {
    assert.deepEqual(
      sections().map(({ rule }) => rule),
      ruleNames(),
    );
  });

  test('shows each rule by a policy that has it, and cases that come out as they say', async () => {
    await Promise.all([
      judge(sections().filter((_, at) => at % 2 === 0)),
      judge(sections().filter((_, at) => at % 2 === 1)),
    ]);
  });

  async function judge(examples: ReturnType<typeof sections>): Promise<void> {
    for (const { rule, policy, cases } of examples) {
      const [group = '', member = ''] = rule.split('.');
      assert.ok(JSON.parse(policy)[group]?.[member] !== undefined, `${rule} is in its example`);
      await writeFile(join(folder, `${rule}.json`), policy);
      await writeFile(join(folder, `${rule}.cases.json`), cases);
      const { code, stdout, stderr } = await countersign([
        ...['policy', 'test', join(folder, `${rule}.json`), join(folder, `${rule}.cases.json`)],
      ]);
      assert.equal(code, 0, `${rule}\n${stdout}${stderr}`);
    }
  }

  test('has commands that work as they stand', async () => {
    const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    try {
      const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text);
      const command = `countersign() { "${process.execPath}" "${PROGRAM}" "$@"; }`;
      const { stdout } = await promisify(execFile)('bash', ['-euc', [command, ...blocks].join('\n')], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          COUNTERSIGN_URL: world.node.address,
          COUNTERSIGN_API_KEY: ADMIN_KEY,
        },
      });
      assert.match(stdout, /2 of 2 cases came out as expected\.\n0 requests: /);
      assert.match(stdout, /spend\.presence_cap +looser +cap with a person 200 → 250 USD\n/);
      assert.match(
        stdout,
        /The current policy is another one\.\nversion 2 of "Household" is in force in place of version 1 of "Sandbox default"\.\nPolicy +pol_\w+\nVersion +2, current\nName +Household\n/,
      );
      assert.match(stdout, /The rules are the same\.\n$/);
    } finally {
      await world.close();
    }
  });
});

/** The rules of each group, by the schema. */
function ruleNames(): string[] {
  const groups = Object.entries(Rules.shape as Record<string, z.ZodType>).filter(([name]) => name !== 'version');
  return groups.flatMap(([group, optional]) => {
    const { shape } = (optional as z.ZodOptional<z.ZodObject>).unwrap();
    return Object.keys(shape).map((name) => `${group}.${name}`);
  });
}
