/** `countersign policy test`: cases kept beside a policy, judged on this machine, with no node. */
import { type CaseOutcome, judgeCase, PolicyCases } from '../../../protocol/policy/cases.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { detailsOf } from '../../../protocol/wire/issue.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile } from '../input/files.ts';
import { colour, print } from '../output/print.ts';
import { readPolicyFile } from './replayDraft.ts';

export function testPolicy(policyFile: string, casesFile: string, options: { readonly json?: boolean }): void {
  const compiled = compilePolicy(readPolicyFile(policyFile).rules);
  const now = Date.now();
  const outcomes = readCases(casesFile).map((each) => judgeCase(compiled, each, now));
  const failed = outcomes.filter(({ passed }) => !passed).length;
  const total = `${outcomes.length - failed} of ${outcomes.length} cases came out as expected.`;
  print(options, { passed: failed === 0, cases: outcomes }, [...outcomes.map(describe), total].join('\n'));
  if (failed > 0) process.exitCode = 1;
}

function readCases(file: string): PolicyCases {
  const given = readJsonFile(file);
  const parsed = PolicyCases.safeParse(given);
  if (parsed.success) return parsed.data;
  // As much as a person reads.
  const details = detailsOf(parsed.error, given)
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path || 'the file', message: message.slice(0, 300) }));
  const lines = details.map(({ path, message }) => `  ${path}: ${message}`);
  throw new WrongUse(`${file} does not hold a list of valid cases:`, { details, lines });
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
  return hpRequired ? 'needs a person' : 'allowed, no person asked';
}
