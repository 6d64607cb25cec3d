/** What went wrong, as a sentence for a person. */
import { CountersignError } from '../../client/error.ts';

/** By the names that WebAuthn gives its errors. */
const PASSKEY_ERRORS: Readonly<Record<string, string>> = {
  // The browser does not say which of them it was.
  NotAllowedError:
    'Nothing was confirmed: it was canceled, it took too long, or this device has no passkey that is asked for here.',
  InvalidStateError: 'This device has a passkey of yours already. Sign in with it.',
  SecurityError: 'The browser allows no passkey at this address. It must be https, under the name of this node.',
};

const NO_ANSWER = {
  loading: 'The node does not answer.',
  // Only the answer is certainly missing.
  doing: 'The node does not answer, so it is unknown whether it was done. Nothing is lost here: try again.',
} as const;

interface Explanation {
  readonly message: string;
  /** Identifies the request in the node’s logs. */
  readonly requestId?: string | undefined;
}

/** @param during what it went wrong: where something was to be done, it may have been */
export function explain(error: unknown, during: keyof typeof NO_ANSWER = 'doing'): Explanation {
  if (error instanceof CountersignError) {
    if (error.code === 'NETWORK') return { message: NO_ANSWER[during] };
    return { message: error.message, requestId: error.requestId };
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: 'unknown reason' };
  // What this page throws itself says all there is to say.
  return { message: PASSKEY_ERRORS[name] ?? (name === 'Error' ? message : `It did not work: ${message}`) };
}

/** Whether the person themselves ended it, so that there is nothing to tell them. */
export function isCanceled(error: unknown): boolean {
  return error instanceof CountersignError && error.code === 'STEP_UP_REQUIRED';
}
