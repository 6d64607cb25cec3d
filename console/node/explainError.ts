/** What went wrong, as a sentence for a person. */
import { CountersignError } from '../../client/error.ts';

/** By the names that WebAuthn gives its errors. */
const PASSKEY_ERRORS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Nothing was confirmed: it was canceled, or took too long. You can try again.',
  InvalidStateError: 'This device has a passkey of yours already. Sign in with it.',
  SecurityError: 'The browser allows no passkey at this address. It must be https, under the name of this node.',
};

interface Explanation {
  readonly message: string;
  /** Identifies the request in the node’s logs. */
  readonly requestId?: string | undefined;
}

export function explain(error: unknown): Explanation {
  if (error instanceof CountersignError) {
    if (error.code === 'NETWORK') return { message: 'The node cannot be reached. Nothing was changed; try again.' };
    return { message: error.message, requestId: error.requestId };
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: 'unknown reason' };
  return { message: PASSKEY_ERRORS[name] ?? `It did not work: ${message}` };
}

/** Whether the person themselves ended it, so that there is nothing to tell them. */
export function isCanceled(error: unknown): boolean {
  return error instanceof CountersignError && error.code === 'STEP_UP_REQUIRED';
}
