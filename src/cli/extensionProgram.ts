/** Runs a program that an extension has beside a node. */
import type { Extension } from '../extensions/extension.ts';
import { extensions } from '../extensions/list.ts';
import { loadTools } from '../extensions/nodeOperations.ts';
import { WrongOption } from '../extensions/programHost.ts';
import { logTo, makeLogger } from '../node/makeLogger.ts';
import { version } from '../node/version.ts';
import { WrongUse } from './commandFailure.ts';
import { colour } from './output/print.ts';

/** @param name of its command @param options as the program takes them */
export async function runExtensionProgram(name: string, options: object): Promise<void> {
  const program = (extensions as readonly Extension[]).find(({ programs }) => programs?.[name] !== undefined)
    ?.programs?.[name];
  const host = {
    version,
    loadTools,
    openLog: () => logTo(makeLogger('info')),
    print: (text: string) => console.log(text),
    bold: colour.bold,
  };
  try {
    await program?.(options as never, host);
  } catch (error) {
    throw error instanceof WrongOption ? new WrongUse(error.message, { cause: error }) : error;
  }
}
