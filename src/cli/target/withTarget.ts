/** The node a command works on: a running one over REST, or the data folder of one when no address is given. */
import { CountersignError } from '../../../client/error.ts';
import type { Operations } from '../../../client/operations.ts';
import { type Client, countersign } from '../../../client/rest.ts';
import {
  type CsvName,
  streamBackup,
  streamCsv,
  streamDisputePack,
  streamEvidence,
  streamJournal,
} from '../../../client/stream.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { openOffline } from '../../node/openFolder.ts';
import { CommandRefusal, Unreachable, WrongUse } from '../commandFailure.ts';
import { keyOf } from '../input/configOf.ts';
import { withConfig } from '../input/withConfig.ts';
import { bytesFromFolder, csvFromFolder, folderClient, streamFromFolder, textFromFolder } from './folderClient.ts';
import { isWebAddress, type TargetOptions } from './targetOptions.ts';

export interface Target {
  /** Every operation of the facade. On a data folder the same use cases run in this process. */
  readonly client: Client;
  /** The text of an evidence export as it comes, cut anywhere. */
  exportEvidence(input: Operations['exportEvidence']['input']): AsyncIterable<string>;
  /** All that a list's filter finds, as CSV, cut anywhere. */
  listAsCsv<Name extends CsvName>(name: Name, input: Operations[Name]['input']): AsyncIterable<string>;
  /** The bytes of the backup that a running node keeps, as they come. */
  downloadBackup(): AsyncIterable<Uint8Array>;
  /** The bytes of the archive that answers a payment's disputes. */
  downloadDisputePack(mandateId: string): AsyncIterable<Uint8Array>;
  /** A month's journal, cut anywhere. */
  exportJournal(input: Operations['exportJournal']['input']): AsyncIterable<string>;
}

interface Needs {
  /** Why the data folder is not enough, where it is not. */
  readonly runningNode?: string;
  /** The address of the running node when none is given. */
  readonly defaultUrl?: string;
}

/**
 * Runs a command on its node.
 * @throws WrongUse without the address or key that is needed, Unreachable when nothing answers,
 * CommandRefusal in the node's own words when it refuses
 */
export async function withTarget(
  env: NodeJS.ProcessEnv,
  options: TargetOptions,
  act: (target: Target) => Promise<void>,
  needs: Needs = {},
): Promise<void> {
  const url = options.url ?? env['COUNTERSIGN_URL'] ?? needs.defaultUrl;
  if (url === undefined && needs.runningNode !== undefined) {
    throw new WrongUse(`${needs.runningNode} Name a running node with --url, or set COUNTERSIGN_URL.`);
  }
  try {
    await (url === undefined ? onFolder(env, act) : act(runningNode(url, options.key ?? keyOf(env))));
  } catch (error) {
    throw explained(error, url);
  }
}

function onFolder(env: NodeJS.ProcessEnv, act: (target: Target) => Promise<void>): Promise<void> {
  return withConfig(env, async (config) => {
    const { deps, caller, close } = await openOffline(config);
    try {
      await act({
        client: folderClient(deps, caller),
        exportEvidence: (input) => streamFromFolder(deps, caller, input),
        listAsCsv: (name, input) => csvFromFolder(deps, caller, name, input),
        downloadDisputePack: (mandateId) => bytesFromFolder(deps, caller, 'downloadDisputePack', { mandateId }),
        exportJournal: (input) => textFromFolder(deps, caller, 'exportJournal', input),
        downloadBackup() {
          throw new WrongUse('A data folder is backed up without --url.');
        },
      });
    } finally {
      await close();
    }
  });
}

function runningNode(url: string, apiKey: string | undefined): Target {
  if (apiKey === undefined) throw new WrongUse('A running node wants a key: give --key, or set COUNTERSIGN_API_KEY.');
  if (!isWebAddress(url)) {
    throw new WrongUse(`"${url}" is not an address; one looks like http://localhost:8402.`);
  }
  const options = { baseUrl: url.replace(/\/+$/, ''), credential: { apiKey }, attempts: 2 };
  return {
    client: countersign(options),
    exportEvidence: (input) => streamEvidence(options, input),
    listAsCsv: (name, input) => streamCsv(options, name, input),
    downloadBackup: () => streamBackup(options),
    downloadDisputePack: (mandateId) => streamDisputePack(options, mandateId),
    exportJournal: (input) => streamJournal(options, input),
  };
}

/** An error of the node or of its use cases as a failure of the command, under the code that REST callers see. */
export function explained(error: unknown, url: string | undefined): unknown {
  if (error instanceof CountersignError && error.code === 'NETWORK') return new Unreachable(String(url));
  if (error instanceof CountersignError) return new CommandRefusal(error.code, error.message, error.details);
  return error instanceof Fault ? new CommandRefusal(error.shownCode, error.message, error.details) : error;
}
