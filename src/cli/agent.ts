/** `countersign agent`: agents and the people behind them. */
import { Command } from 'commander';
import { addEnrollLink } from './agentEnroll.ts';
import { addGovernance } from './agentGovern.ts';
import { addKeygen } from './agentKeygen.ts';
import { addRegistry } from './agentRead.ts';

export function agentCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('agent').description('Make, register, see and limit agents.');
  addKeygen(command);
  addRegistry(command, env);
  addGovernance(command, env);
  addEnrollLink(command, env);
  return command;
}
