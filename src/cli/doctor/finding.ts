/** What the doctor says about one thing it looked at. */

export interface Finding {
  readonly check: string;
  /** A fault makes the exit code 1, a warning does not. */
  readonly level: 'ok' | 'warning' | 'fault';
  /** One sentence. */
  readonly message: string;
  /** The command that mends it, or what to set; none where nothing is wrong. */
  readonly mend?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message };
}

export function fault(check: string, message: string, mend: string): Finding {
  return { check, level: 'fault', message, mend };
}

export function warning(check: string, message: string, mend: string): Finding {
  return { check, level: 'warning', message, mend };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
