/** `countersign task`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareTask(program: Command, env: NodeJS.ProcessEnv): void {
  const task = program
    .command('task')
    .description('Show the tasks of agents that speak standard A2A, and withdraw them.');
  operationOptions(targetOptions(task.command('list'), 'read'), 'listTaskRecords')
    .description('List tasks, those that changed last first.')
    .addOption(limit())
    .action(async (options) => (await import('./taskActions.ts')).listTasks(env, options));
  targetOptions(task.command('show <id>'), 'read')
    .description('Show a task: how it stands, and what it handed over.')
    .action(async (id, options) => (await import('./taskActions.ts')).showTask(env, id, options));
  targetOptions(task.command('cancel <id>'), 'write')
    .description('Withdraw what a task asks for; the person is asked no more, and nothing is bought.')
    .action(async (id, options) => (await import('./taskActions.ts')).cancelTask(env, id, options));
}
