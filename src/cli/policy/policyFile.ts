/** A policy in a file: the rules alone, or {name, rules}. */

import { Rules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { WrongUse } from '../exit.ts';
import { readJsonFile } from '../input/jsonFile.ts';

interface PolicyFile {
  readonly name: string | undefined;
  readonly rules: Rules;
}

/** @throws Error for rules that a node would refuse too, with the members at fault */
export function readPolicyFile(file: string): PolicyFile {
  const value = readJsonFile(file);
  if (typeof value !== 'object' || value === null) throw new WrongUse(`${file} holds no policy.`);
  const wrapped = 'rules' in value;
  const name = wrapped && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return { name, rules: parseRules(file, wrapped ? value.rules : value) };
}

function parseRules(file: string, rules: unknown): Rules {
  try {
    return parseInput(Rules, rules);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const lines = (error.details ?? []).map(({ path, message }) => `\n  ${path || 'the rules'}: ${message}`);
    throw new Error(`${file} is no policy:${lines.join('')}`);
  }
}
