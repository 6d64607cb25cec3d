/** `countersign agent`: agents and the people behind them. */
import { Command } from 'commander';
import { addEnrollLink } from './enrollLink.ts';
import { addKeygen } from './keygen.ts';
import { addRegistry } from './registry.ts';
import { addGovernance } from './suspend.ts';

export function agentCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('agent').description('Make, register, see and limit agents.');
  addKeygen(command);
  addRegistry(command, env);
  addGovernance(command, env);
  addEnrollLink(command, env);
  return command;
}
