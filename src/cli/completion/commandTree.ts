/** The commands of this program as data, for what is made from them. */
import type { Command } from 'commander';

export interface CommandNode {
  /** From the program's name on, such as ['agent', 'add']; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly CommandNode[];
  readonly options: readonly CommandOption[];
  /** What its arguments may be, where that is a closed list. */
  readonly choices: readonly string[];
}

export interface CommandOption {
  readonly flag: string;
  readonly description: string;
  /** What its value may be, where that is a closed list. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

export function treeOf(command: Command, path: readonly string[] = []): CommandNode {
  return {
    path,
    description: command.description(),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    commands: command.commands.map((each) => treeOf(each, [...path, each.name()])),
    options: command.options.map((option) => ({
      flag: option.long ?? option.flags,
      description: option.description,
      choices: option.argChoices ?? [],
      takesValue: option.required || option.optional,
    })),
  };
}

/** A command and everything below it. */
export function flat(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(flat)];
}
