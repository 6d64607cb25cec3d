/** What a program is given that an extension has beside a node: the command of its name runs it until it is stopped. */
import type { Log } from '../usecase/deps.ts';
import type { ToolParts } from './tool.ts';

/** What a program is given of the process that it runs in. */
export interface ProgramHost {
  /** Of this program. */
  readonly version: string;
  /** The tools of every extension. */
  loadTools(): Promise<ToolParts>;
  /** Lines of a log, on standard error. */
  openLog(): Log;
  /** What a person reads, on standard output. */
  print(text: string): void;
  /** As `print` shows it where a person looks. */
  bold(text: string): string;
}

/** @throws WrongOption */
export type Program<Options = never> = (options: Options, host: ProgramHost) => Promise<void>;

/** An option that the program cannot begin with; the message says which, and what it must be. */
export class WrongOption extends Error {}
