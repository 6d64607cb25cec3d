/** The command line. */
import { Command } from 'commander';
import { agentCommand } from './cli/agent/agentCommand.ts';
import { approvalsCommand } from './cli/approval/approvalsCommand.ts';
import { completionCommand } from './cli/completion/completionCommand.ts';
import { backupCommand } from './cli/data/backupCommand.ts';
import { migrateCommand } from './cli/data/migrateCommand.ts';
import { restoreCommand } from './cli/data/restoreCommand.ts';
import { playDemo } from './cli/demo/playDemo.ts';
import { doctorCommand } from './cli/doctor/doctorCommand.ts';
import { evidenceCommand } from './cli/evidence/evidenceCommand.ts';
import { exitByUse, report } from './cli/exit.ts';
import { keyCommand } from './cli/key/keyCommand.ts';
import { paymentCommand } from './cli/payment/paymentCommand.ts';
import { policyCommand } from './cli/policy/policyCommand.ts';
import { configCommand } from './cli/server/configCommand.ts';
import { healthCommand } from './cli/server/healthCommand.ts';
import { openapiCommand } from './cli/server/openapiCommand.ts';
import { serve } from './cli/server/serve.ts';
import { listenCommand } from './cli/webhook/listenCommand.ts';
import { tailCommand } from './cli/webhook/tailCommand.ts';
import { triggerCommand } from './cli/webhook/triggerCommand.ts';
import { webhookCommand } from './cli/webhook/webhookCommand.ts';

const program = new Command('countersign').description('The payment authorization node for AI agents.');
program
  .command('serve', { isDefault: true })
  .description('Serve the node that the environment describes.')
  .action(() => serve(process.env));
program
  .command('demo')
  .description('Play three purchases against a fresh sandbox node and show what happened.')
  .action(() => playDemo());
program.addCommand(keyCommand(process.env));
program.addCommand(agentCommand(process.env));
program.addCommand(policyCommand(process.env));
program.addCommand(paymentCommand(process.env));
program.addCommand(approvalsCommand(process.env));
program.addCommand(webhookCommand(process.env));
program.addCommand(evidenceCommand(process.env));
program.addCommand(tailCommand(process.env));
program.addCommand(listenCommand(process.env));
program.addCommand(triggerCommand(process.env));
program.addCommand(backupCommand(process.env));
program.addCommand(restoreCommand(process.env));
program.addCommand(migrateCommand());
program.addCommand(configCommand(process.env));
program.addCommand(doctorCommand(process.env));
program.addCommand(healthCommand(process.env));
program.addCommand(openapiCommand());
program.addCommand(completionCommand(program));

exitByUse(program);
program.parseAsync().catch(report);
