/** Completion scripts. Each looks up what may follow by the commands given so far. */
import type { Command } from 'commander';
import { print } from '../output/print.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function printCompletion(
  program: Command,
  shell: keyof typeof SCRIPTS,
  options: { readonly json?: boolean },
): void {
  const script = SCRIPTS[shell](treeOf(program));
  print(options, { shell, script }, script);
}

const wordsOf = (node: CommandNode) =>
  [...node.commands.map(({ path }) => path.at(-1)), ...node.choices, ...flagsOf(node)].join(' ');
const flagsOf = (node: CommandNode) => [...node.options.map(({ flag }) => flag), '--help'];
const chosen = (node: CommandNode) => node.options.filter(({ choices }) => choices.length > 0);

function bashCompletion(tree: CommandNode): string {
  const all = flat(tree);
  const paths = all.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  const values = all.flatMap((node) =>
    chosen(node).map(({ flag, choices }) => `    "${node.path.join(' ')} ${flag}") words="${choices.join(' ')}" ;;`),
  );
  const words = all.map((node) => `    "${node.path.join(' ')}") words="${wordsOf(node)}" ;;`);
  return `# Completions of countersign for bash.
_countersign() {
  local command="" word words="" at
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${command:+$command }\${COMP_WORDS[at]}"
    case "$word" in
      ${paths.join(' | ')}) command="$word" ;;
    esac
  done
  case "$command $previous" in
${values.join('\n')}
  esac
  if [ -z "$words" ]; then case "$command" in
${words.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _countersign countersign`;
}

/** zsh runs the script of bash by its bashcompinit. */
function zshCompletion(tree: CommandNode): string {
  return `# Completions of countersign for zsh.
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(tree)}`;
}

function fishCompletion(tree: CommandNode): string {
  const lines = flat(tree).flatMap((node) => {
    const when = condition(node.path, node.commands);
    return [
      ...node.commands.map((each) => `${when} -f -a ${each.path.at(-1)} -d ${quoted(each.description)}`),
      ...(node.choices.length === 0 ? [] : [`${when} -f -a ${quoted(node.choices.join(' '))}`]),
      ...node.options.map((option) => `${when} ${fishOption(option)}`),
    ];
  });
  return ['# Completions of countersign for fish.', ...lines].join('\n');
}

function condition(path: readonly string[], below: readonly CommandNode[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = below.map((each) => each.path.at(-1)).join(' ');
  // Once a command below was given, what is offered is that one's.
  const not = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return `complete -c countersign -n ${quoted([...seen, ...not].join('; and '))}`;
}

function fishOption({ flag, description, choices, takesValue }: CommandOption): string {
  const values = choices.length === 0 ? '' : ` -f -a ${quoted(choices.join(' '))}`;
  return `-l ${flag.replace(/^--/, '')}${takesValue ? ' -r' : ''}${values} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

interface CommandNode {
  /** From the program's name on, such as ['agent', 'add']; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly CommandNode[];
  readonly options: readonly CommandOption[];
  /** What its arguments may be, where that is a closed list. */
  readonly choices: readonly string[];
}

interface CommandOption {
  readonly flag: string;
  readonly description: string;
  /** What its value may be, where that is a closed list. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

function treeOf(command: Command, path: readonly string[] = []): CommandNode {
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
function flat(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(flat)];
}
