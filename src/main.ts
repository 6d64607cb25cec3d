/** The command line. */
import { Command } from 'commander';
import { agentCommand } from './cli/agent.ts';
import { approvalsCommand } from './cli/approvals.ts';
import { backupCommand } from './cli/backup.ts';
import { completionCommand } from './cli/completion.ts';
import { configCommand } from './cli/config.ts';
import { playDemo } from './cli/demo.ts';
import { doctorCommand } from './cli/doctor.ts';
import { evidenceCommand } from './cli/evidence.ts';
import { exitByUse, report } from './cli/exit.ts';
import { healthCommand } from './cli/health.ts';
import { keyCommand } from './cli/key.ts';
import { listenCommand } from './cli/listen.ts';
import { migrateCommand } from './cli/migrate.ts';
import { openapiCommand } from './cli/openapi.ts';
import { paymentCommand } from './cli/payment.ts';
import { policyCommand } from './cli/policy.ts';
import { restoreCommand } from './cli/restore.ts';
import { serve } from './cli/serve.ts';
import { tailCommand } from './cli/tail.ts';
import { triggerCommand } from './cli/trigger.ts';
import { webhookCommand } from './cli/webhook.ts';

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
