/** `countersign policy`: what agents may spend, kept as code. */
import { Command } from 'commander';
import { addWriting } from './apply.ts';
import { addReplay } from './replayDraft.ts';
import { addReading } from './show.ts';
import { addSimulate } from './simulate.ts';
import { addTest } from './test.ts';

export function policyCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('policy').description('See, test and change what agents may spend.');
  addReading(command, env);
  addWriting(command, env);
  addSimulate(command, env);
  addTest(command);
  addReplay(command, env);
  return command;
}
