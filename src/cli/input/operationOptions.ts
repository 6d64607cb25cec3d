/** Options that are members of what an operation takes: declared, and read back as its input. */
import type { Command, Option } from 'commander';
import { commandOptions, type MemberOption } from '../generated/commandOptions.ts';
import { amount, choice, choices, count, day, flag, moment, text } from './optionTypes.ts';

export type OptionsOperation = keyof typeof commandOptions;

/** Each kind with how it is called in help, and how what is given is checked. */
const KINDS = {
  agent: (name: string, about: string) => text(`--${name} <agent>`, about),
  principal: (name: string, about: string) => text(`--${name} <principal>`, about),
  choice: (name: string, about: string, values: readonly string[]) => choice(`--${name} <${name}>`, about, values),
  choices: (name: string, about: string, values: readonly string[]) => choices(`--${name} <list>`, about, values),
  moment: (name: string, about: string) => moment(`--${name} <moment>`, about),
  day: (name: string, about: string) => day(`--${name} <day>`, about),
  count: (name: string, about: string) => count(`--${name} <count>`, about),
  amount: (name: string, about: string) => amount(`--${name} <amount>`, about),
  flag: (name: string, about: string) => flag(`--${name}`, about),
  text: (name: string, about: string) => text(`--${name} <${name}>`, about),
} as const satisfies Readonly<
  Record<MemberOption['kind'], (name: string, about: string, values: readonly string[]) => Option>
>;

/** Adds an option for each member of what an operation takes. */
export function operationOptions(command: Command, operation: OptionsOperation): Command {
  for (const each of optionsOf(operation)) command.addOption(optionOf(each));
  return command;
}

/** The option of one member of what an operation takes. */
export function memberOption(operation: OptionsOperation, member: string): Option {
  const option = optionsOf(operation).find((each) => each.member === member);
  if (option === undefined) throw new Error(`${operation} takes no ${member} that an option can say.`);
  return optionOf(option);
}

function optionOf({ name, kind, text: about, values = [] }: MemberOption): Option {
  return KINDS[kind](name, about, values);
}

/** What was given, by the members of what an operation takes. @param didOf finds the DID of an agent or principal */
export async function operationInput(
  operation: OptionsOperation,
  given: Readonly<Record<string, unknown>>,
  didOf: (kind: 'agent' | 'principal', named: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const { member, name, kind, prefix } of optionsOf(operation)) {
    // As commander calls it.
    const value = given[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (value === undefined) continue;
    if (kind === 'agent' || kind === 'principal') input[member] = await didOf(kind, String(value));
    else input[member] = prefix === undefined ? value : prefix + String(value).toUpperCase();
  }
  return input;
}

function optionsOf(operation: OptionsOperation): readonly MemberOption[] {
  return commandOptions[operation];
}
