/** A policy in a file: the rules alone, or {name, rules}. */
import { Rules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { parseInput } from '../../usecase/useCase.ts';
import { Failure, WrongUse } from '../commandFailure.ts';
import { readJsonFile } from '../input/files.ts';

interface PolicyFile {
  readonly name: string | undefined;
  readonly rules: Rules;
}

/** @throws WrongUse for a file that holds no object, Failure for rules that a node would refuse, with the members at fault */
export function readPolicyFile(file: string): PolicyFile {
  const value = readJsonFile(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WrongUse(`${file} does not hold a policy; a policy is {"version": "2.0", …} or {"name", "rules"}.`);
  }
  const wrapped = 'rules' in value;
  const name = wrapped && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return { name, rules: parseRules(file, wrapped ? value.rules : value) };
}

function parseRules(file: string, rules: unknown): Rules {
  try {
    return parseInput(Rules, rules);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const details = error.details ?? [];
    const lines = details.map(({ path, message }) => `  ${path || 'the rules'}: ${message}`);
    throw new Failure(`${file} is not a valid policy:`, { code: error.code, exitCode: 1, details, lines });
  }
}
