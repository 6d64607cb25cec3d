/** `countersign policy`: what agents may spend, kept as code. */
import { Command } from 'commander';
import { addReading } from './policyRead.ts';
import { addReplay } from './policyReplay.ts';
import { addSimulate } from './policySimulate.ts';
import { addTest } from './policyTest.ts';
import { addWriting } from './policyWrite.ts';

export function policyCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('policy').description('See, test and change what agents may spend.');
  addReading(command, env);
  addWriting(command, env);
  addSimulate(command, env);
  addTest(command);
  addReplay(command, env);
  return command;
}
