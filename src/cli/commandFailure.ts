/** How a command fails: with an exit code, a code for programs, and a sentence that says what to do. */

interface Detail {
  /** The member, option or variable at fault. */
  readonly path: string;
  readonly message: string;
}

interface Facts {
  /** Stable, for programs: what the node calls it, or WRONG_USE, UNREACHABLE, INVALID_CONFIGURATION, FAILED. */
  readonly code: string;
  /** 1 refused or false, 2 wrong use, 3 no node answers. */
  readonly exitCode: 1 | 2 | 3;
  readonly details?: readonly Detail[];
  /** What a person reads below the message, a line each. */
  readonly lines?: readonly string[];
  /** The error that led to it, whose stack is shown where one is wanted. */
  readonly cause?: unknown;
}

export class Failure extends Error {
  readonly facts: Facts;

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause });
    this.facts = facts;
  }
}

/** The command cannot be carried out as it was given. */
export class WrongUse extends Failure {
  constructor(message: string, facts: Partial<Facts> = {}) {
    super(message, { code: 'WRONG_USE', exitCode: 2, ...facts });
  }
}

/** The node, or its rules on a data folder, refuse what the command asks for. */
export class CommandRefusal extends Failure {
  /** @param code as the node calls it, such as NOT_FOUND */
  constructor(code: string, message: string, details: readonly Detail[] = []) {
    // The message names the first member at fault; of several each has a line.
    const lines = details.length > 1 ? details.map((detail) => `  ${detail.path}: ${detail.message}`) : [];
    super(message, { code, exitCode: 1, lines, ...(details.length > 0 && { details }) });
  }
}

/** Nothing answers at the address that was given. */
export class Unreachable extends Failure {
  constructor(url: string) {
    super(`No node answers at ${url}; start it, or name another one with --url or COUNTERSIGN_URL.`, {
      code: 'UNREACHABLE',
      exitCode: 3,
    });
  }
}

/**
 * Writes to standard error what went wrong, and leaves the exit code for it.
 * @param json one line `{"error":{"code","message","details"?}}` in place of a sentence
 * @param debug whether a person is shown where an error was thrown that is not their own
 */
export function reportFailure(error: unknown, { json, debug }: { json: boolean; debug: boolean }): void {
  const failure = failureOf(error);
  const { message, facts } = failure;
  const { code, exitCode, details, lines = [] } = facts;
  const text = failure instanceof CommandRefusal ? `${code}: ${message}` : message;
  const origin = failure.cause ?? failure;
  const stack = debug && exitCode !== 2 && origin instanceof Error ? [origin.stack] : [];
  if (json) console.error(JSON.stringify({ error: { code, message, ...(details && { details }) } }));
  else console.error([text, ...lines, ...stack].join('\n'));
  process.exitCode = exitCode;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Error && 'path' in error && typeof error.path === 'string')
    return fileFailure(error, error.path);
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return listenFailure(error as ListenError);
  return new Failure(reasonOf(error), { code: 'FAILED', exitCode: 1, cause: error });
}

type ListenError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

/** What it means that the node cannot listen. Its exit code lets a supervisor try again: a port may be free soon. */
function listenFailure(error: ListenError): Failure {
  const { code = '', address = '', port = 0 } = error;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${address} is taken by another program; stop it, or set PORT to another port.`,
    EACCES: `This user may not listen at port ${port}; set PORT to one from 1024 on.`,
    EADDRNOTAVAIL: `${address} is no address of this machine; set HOST to one that is, such as 127.0.0.1.`,
  };
  const message = sentences[code] ?? `The node cannot listen at ${address}:${port}: ${reasonOf(error)}.`;
  return new Failure(message, { code: 'FAILED', exitCode: 1, cause: error });
}

/** What an error of the file system means to a person, and what to do. @param file the path as it was given */
export function fileFailure(error: unknown, file: string): Failure {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A folder that cannot be made, since a file has its name.
  const sentence = FILE_ERRORS[code === 'EEXIST' && syscall === 'mkdir' ? 'EEXIST_AS_FILE' : code];
  if (sentence !== undefined) return new WrongUse(sentence(file));
  return new Failure(`${file} cannot be used: ${reasonOf(error)}.`, { code: 'FAILED', exitCode: 1, cause: error });
}

const FILE_ERRORS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `${file} does not exist; check the path.`,
  EISDIR: (file) => `${file} is a folder; give the path of a file.`,
  ENOTDIR: (file) => `${file} does not exist: a part of its path is a file and not a folder; check the path.`,
  EEXIST: (file) => `${file} exists, and a file is never overwritten here; give another path.`,
  EEXIST_AS_FILE: (file) => `${file} is a file and not a folder; give the path of a folder.`,
  EACCES: (file) => `This user may not open ${file}; change its owner or mode, which "ls -ld ${file}" shows.`,
  EPERM: (file) => `This user may not open ${file}; change its owner or mode, which "ls -ld ${file}" shows.`,
  EROFS: (file) => `${file} is on a file system that cannot be written to; give another path.`,
};

/** The message of an error, or its name where it has none. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
