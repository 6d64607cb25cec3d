/** `countersign approvals`: what its commands take. */
import { type Command, Option } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { amount, count, limit, moment, repeated } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareApprovals(program: Command, env: NodeJS.ProcessEnv): void {
  const approvals = program
    .command('approvals')
    .description('Show what waits for a person, deny it, and verify what people decided.');
  operationOptions(targetOptions(approvals.command('list'), 'read'), 'listApprovals')
    .description('List requests for approval, newest first, with the link of each that waits.')
    .addOption(limit())
    .action(async (options) => (await import('./approvalActions.ts')).listApprovals(env, options));
  targetOptions(approvals.command('show <id>'), 'read')
    .description('Show a request: what is bought, why people are asked, and who has approved.')
    .option('--decision', 'print how it ended as others verify it, and nothing else')
    .action(async (id, options) => (await import('./approvalActions.ts')).showApproval(env, id, options));
  approvals
    .command('verify')
    .description('Verify without any node that a person approved an action; exit code 1 where it does not hold.')
    .argument('<file>', 'a decision, as show --decision prints it; - for standard input')
    .option('--cart <file>', 'the cart that was to be approved, as the shop signed it')
    .addOption(new Option('--document-hash <hash>', 'sha256:…, in place of the cart').conflicts('cart'))
    .option('--agent <did>', 'the agent that was to buy')
    .addOption(amount('--amount <amount>', 'in units of the currency'))
    .option('--currency <code>', 'ISO 4217')
    .option('--merchant <domain>', 'where it was to be bought')
    .addOption(moment('--until <moment>', 'when the request ended'))
    .option('--origin <url>', 'where people decide, as the card of the node says')
    .addOption(repeated('--key <file>', 'public key (JWK) of a person who may approve'))
    .option('--issuer <did>', 'a node whose word you take on whose key it is')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./verifyDecisionFile.ts')).verifyDecisionFile(file, options));
  targetOptions(approvals.command('escalation [users...]'), 'admin')
    .description('Show or set who is told, one after the other, of an approval that is not decided.')
    .addOption(
      count('--after <minutes>', 'tell the next one after so many minutes, if half of the time left is longer'),
    )
    .option('--off', 'tell all of them at once')
    .action(async (users, options) => (await import('./approvalActions.ts')).manageEscalation(env, users, options));
  targetOptions(approvals.command('deny <id>'), 'write')
    .description('Deny a request; the agent that waits learns it at once.')
    .action(async (id, options) => (await import('./approvalActions.ts')).denyApproval(env, id, options));
}
