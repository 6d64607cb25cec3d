/** `countersign policy test POLICY CASES`: cases kept beside a policy, judged here, with no node. */
import type { Command } from 'commander';
import { type CaseOutcome, judgeCase, PolicyCases } from '../../../protocol/policy/cases.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { WrongUse } from '../exit.ts';
import { readJsonFile } from '../input/jsonFile.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';
import { readPolicyFile } from './policyFile.ts';

export function addTest(policy: Command): void {
  policy
    .command('test <policy> <cases>')
    .description(
      'Judge a file of cases by a policy in a file; exit code 1 where one comes out otherwise than expected.',
    )
    .option('--json', 'answer in JSON')
    .action((policyFile: string, casesFile: string, options: { json?: boolean }) => {
      const compiled = compilePolicy(readPolicyFile(policyFile).rules);
      const now = Date.now();
      const outcomes = readCases(casesFile).map((each) => judgeCase(compiled, each, now));
      const failed = outcomes.filter(({ passed }) => !passed).length;
      const total = `${outcomes.length - failed} of ${outcomes.length} cases came out as expected.`;
      const facts = { passed: failed === 0, cases: outcomes };
      print(options, facts, [...outcomes.map(describe), total].join('\n'));
      if (failed > 0) process.exitCode = 1;
    });
}

function readCases(file: string): PolicyCases {
  const parsed = PolicyCases.safeParse(readJsonFile(file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `\n  ${path.join('.') || 'the file'}: ${message}`);
  throw new WrongUse(`${file} holds no cases:${lines.join('')}`);
}

function describe({ name, passed, expected, actual, messages }: CaseOutcome): string {
  if (passed) return `${colour.green('✓')} ${name}`;
  return [
    `${colour.red('✗')} ${name}`,
    `    expected  ${inWords(expected)}`,
    `    came      ${inWords(actual)}`,
    ...messages.map((message) => `              ${message}`),
  ].join('\n');
}

function inWords({ allowed, reasonCodes, hpRequired }: CaseOutcome['expected'] | CaseOutcome['actual']): string {
  if (!allowed) return `refused${reasonCodes === undefined ? '' : `: ${reasonCodes.join(', ')}`}`;
  if (hpRequired === undefined) return 'allowed';
  return hpRequired ? 'allowed, with the person' : 'allowed, without the person';
}
