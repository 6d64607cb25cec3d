/** The result of one check of the doctor. */

export interface Finding {
  readonly check: string;
  /** A fault makes the exit code 1, a warning does not. */
  readonly level: 'ok' | 'warning' | 'fault';
  /** One sentence. */
  readonly message: string;
  /** The command that removes the fault, or what to set; missing where nothing is wrong. */
  readonly remedy?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message };
}

export function fault(check: string, message: string, remedy: string): Finding {
  return { check, level: 'fault', message, remedy };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: 'warning', message, remedy };
}
