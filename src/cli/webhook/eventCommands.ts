/** `countersign tail`, `listen` and `trigger`: what the commands about live events take. */
import { Argument, type Command } from 'commander';
import { EVENT_TYPES } from '../input/closedLists.ts';
import { choices, count } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareEvents(program: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(program.command('tail'), 'admin')
    .description('Show events as they happen, one a line, until Ctrl-C.')
    .addOption(choices('--types <list>', 'only these', EVENT_TYPES))
    .addOption(count('--count <number>', 'end after so many'))
    .action(async (options) => (await import('./listen.ts')).tail(env, options));
  targetOptions(program.command('listen'), 'admin')
    .description('Forward events as they happen, signed, to a program on this machine, until Ctrl-C.')
    .option('--forward-to <address>', 'where to post them; without it they are only shown')
    .addOption(choices('--events <list>', 'only these', EVENT_TYPES))
    .action(async (options) => (await import('./listen.ts')).listen(env, options));
  targetOptions(program.command('trigger'), 'read, write and admin')
    .description('Cause an event in a sandbox node, by a purchase of a new agent.')
    .addArgument(new Argument('<event>', 'which one').choices(EVENT_TYPES))
    .action(async (event, options) => (await import('./causeEvent.ts')).trigger(env, event, options));
}
