/** docs/reference/policies.md: every rule has an example whose cases come out as the page says. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { z } from 'zod';
import { judgeCase, PolicyCases } from '../../protocol/policy/cases.ts';
import { compilePolicy } from '../../protocol/policy/compile.ts';
import { Rules } from '../../protocol/policy/rules.ts';
import { countersign } from '../support/command.ts';

describe('docs/reference/policies.md', () => {
  let folder: string;
  let page: string;
  let guide: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-policies-'));
    page = await readFile('docs/reference/policies.md', 'utf8');
    guide = await readFile('docs/guides/limits.md', 'utf8');
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

  test('has twelve limits in its guide, whose cases come out as they say', async () => {
    const twelve = guide.split(/^### /m).slice(1);
    assert.equal(twelve.length, 12);
    for (const [at, text] of twelve.entries()) {
      const [policy = '', cases = ''] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');
      const outcomes = judgeAll(policy, cases);
      assert.ok(
        outcomes.length > 0 && outcomes.every(({ passed }) => passed),
        `${at + 1}: ${JSON.stringify(outcomes)}`,
      );
    }
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
});

function judgeAll(policy: string, cases: string) {
  const compiled = compilePolicy(Rules.parse(JSON.parse(policy)));
  return PolicyCases.parse(JSON.parse(cases)).map((each) => judgeCase(compiled, each, Date.now()));
}

/** The rules of each group, by the schema. */
function ruleNames(): string[] {
  const groups = Object.entries(Rules.shape as Record<string, z.ZodType>).filter(([name]) => name !== 'version');
  return groups.flatMap(([group, optional]) => {
    const { shape } = (optional as z.ZodOptional<z.ZodObject>).unwrap();
    return Object.keys(shape).map((name) => `${group}.${name}`);
  });
}
