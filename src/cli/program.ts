/** The whole command line: every command with what it takes. What a command does is loaded when it runs. */
import { Command, CommanderError } from 'commander';
import { version } from '../node/version.ts';
import { declareAgent } from './agent/agentCommand.ts';
import { declareAp2 } from './ap2/ap2Command.ts';
import { declareApprovals } from './approval/approvalsCommand.ts';
import { declareBackupSchedule } from './backup/backupScheduleCommand.ts';
import { declareAcpCheckout, declareCheckout, declareUcpCheckout } from './checkout/checkoutCommand.ts';
import { reportFailure, WrongUse } from './commandFailure.ts';
import { declareCompletion } from './completion/completionCommand.ts';
import { declareCredential } from './credential/credentialCommand.ts';
import { declareBackup, declareData } from './data/dataCommands.ts';
import { declareDecisions } from './decision/decisionsCommand.ts';
import { declareDelegation } from './delegation/delegationCommand.ts';
import { declareEvidence } from './evidence/evidenceCommand.ts';
import { declareExternal } from './external/externalCommand.ts';
import { declareGuard } from './guard/guardCommand.ts';
import { declareKey } from './key/keyCommand.ts';
import { declareMandateIssuer } from './mandateIssuer/mandateIssuerCommand.ts';
import { declareMcp } from './mcp/mcpCommand.ts';
import { declareMerchant } from './merchant/merchantCommand.ts';
import { declareNotify } from './notify/notifyCommand.ts';
import { declareOverview } from './overview/overviewCommands.ts';
import { declarePayment } from './payment/paymentCommand.ts';
import { declarePlayground } from './playground/playgroundCommand.ts';
import { declarePolicy } from './policy/policyCommand.ts';
import { declarePrincipal } from './principal/principalCommand.ts';
import { declareProfiles } from './profile/profileCommand.ts';
import { declareRequest } from './request/requestCommand.ts';
import { declareServer } from './server/serverCommands.ts';
import { declareTask } from './task/taskCommand.ts';
import { declareUpgrade } from './upgrade/upgradeCommand.ts';
import { declareUser } from './user/userCommand.ts';
import { declareWallet } from './wallet/walletCommand.ts';
import { declareEvents } from './webhook/eventCommands.ts';
import { declareWebhook } from './webhook/webhookCommand.ts';
import { declareWitness } from './witness/witnessCommand.ts';

/**
 * Runs one command. A failure is written to standard error, and its exit code is left in process.exitCode.
 * @param words after the program's name; without any, help is shown
 */
export async function runProgram(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const end = words.indexOf('--');
  const json = words.slice(0, end === -1 ? words.length : end).includes('--json');
  try {
    await makeProgram(env, json).parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    reportFailure(error, { json, debug: env['LOG_LEVEL'] === 'debug' });
  }
}

function makeProgram(env: NodeJS.ProcessEnv, json: boolean): Command {
  const program = new Command('countersign')
    .description('The payment authorization node for AI agents.')
    .version(version, '-V, --version', 'print the version')
    // So that a command may have an option that the program has too.
    .enablePositionalOptions()
    // Nouns with long commands leave less than the 40 columns below which nothing would be wrapped.
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      // The help of a noun without a command; what is wrong is reported as any other failure is.
      writeErr: (text) => (json ? undefined : console.error(text.trimEnd())),
      outputError: () => {},
    });
  program.commandsGroup('Run a node:');
  declareServer(program, env);
  declareOf('playground', declarePlayground, program, env);
  declareProfiles(program, env);
  program.commandsGroup('See what happens:');
  declareOverview(program, env);
  program.commandsGroup('Decide what agents may buy:');
  declareAgent(program, env);
  declarePrincipal(program, env);
  declareMerchant(program, env);
  declareOf('mandates', declareMandateIssuer, program, env);
  declareOf('mandates', declareDelegation, program, env);
  declareOf('x402', declareWallet, program, env);
  declareOf('external', declareExternal, program, env);
  declareOf('http-signatures', declareRequest, program, env);
  declarePolicy(program, env);
  const checkout = declareCheckout(program, !['mandates', 'acp'].some((name) => isOn(name, env)));
  declareOf('mandates', declareUcpCheckout, checkout, env);
  declareOf('acp', declareAcpCheckout, checkout, env);
  declarePayment(program, env);
  declareApprovals(program, env);
  declareOf('standard-a2a', declareTask, program, env);
  declareDecisions(program, env);
  declareUser(program, env);
  declareOf('notices', declareNotify, program, env);
  program.commandsGroup('Connect programs:');
  declareKey(program, env);
  declareOf('mcp', declareMcp, program, env);
  declareOf('guard', declareGuard, program, env);
  declareWebhook(program, env);
  declareEvents(program, env);
  program.commandsGroup('Keep the records:');
  declareEvidence(program, env);
  declareCredential(program, env);
  declareOf('mandates', declareAp2, program, env);
  declareOf('witness', declareWitness, program, env);
  declareOf('backups', declareBackupSchedule, declareBackup(program, env), env);
  declareData(program, env);
  declareUpgrade(program, env);
  program.commandsGroup('Get help:');
  declareCompletion(program);
  completeCommand(program, program);
  return program;
}

/** Declares the commands of an extension, of the program or of a noun; where EXTENSIONS leaves it out, they are not shown, and say so. */
function declareOf(
  extension: string,
  declare: (program: Command, env: NodeJS.ProcessEnv) => void,
  program: Command,
  env: NodeJS.ProcessEnv,
): void {
  if (isOn(extension, env)) {
    declare(program, env);
    return;
  }
  const absent = new Command();
  declare(absent, env);
  for (const each of absent.commands) {
    program
      .command(each.name(), { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .action(() => {
        throw new WrongUse(`This node runs without ${extension}: EXTENSIONS does not name it.`);
      });
  }
}

function isOn(extension: string, env: NodeJS.ProcessEnv): boolean {
  const on = (env['EXTENSIONS'] || undefined)?.split(',').map((name) => name.trim());
  return on?.includes(extension) ?? true;
}

/** Gives a command and those below it one help option, and has what commander complains of end as wrong use. */
function completeCommand(command: Command, program: Command): void {
  command.helpOption('-h, --help', 'show help');
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command.');
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : wrongUse(error, command, program);
  });
  for (const each of command.commands) completeCommand(each, program);
}

function wrongUse(error: CommanderError, command: Command, program: Command): WrongUse {
  const path = pathOf(command);
  if (error.code === 'commander.help') {
    const names = command.commands.map((each) => each.name()).join(', ');
    return new WrongUse(`"${path}" needs one of its commands: ${names}.`);
  }
  // Such as: error: unknown option '--jsn'\n(Did you mean --json?)
  const [complaint = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const found = suggestNouns(error, command, program) ?? suggestion;
  const sentence = complaint.charAt(0).toUpperCase() + complaint.slice(1).replace(/\.?$/, '.');
  const message = found === undefined ? sentence : `${sentence} ${found.replace(/^\(|\)$/g, '')}`;
  return new WrongUse(message, { lines: [`See: ${path} --help`] });
}

/** A verb given without its noun, such as `countersign revoke`: the commands that are called so. */
function suggestNouns(error: CommanderError, command: Command, program: Command): string | undefined {
  if (error.code !== 'commander.unknownCommand' || command !== program) return undefined;
  const verb = program.args[0];
  const paths = program.commands
    .filter((noun) => noun.commands.some((each) => each.name() === verb))
    .map((noun) => `"${noun.name()} ${verb}"`);
  return paths.length === 0 ? undefined : `Did you mean ${paths.join(' or ')}?`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
