/** Passkeys in the browser: making one, using one, and what went wrong in words for a person. */
import './simplewebauthn.js';
import { NodeError } from './page.js';

// The library's build for browsers is no module: it leaves its functions in this global.
const { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnAbortService } =
  globalThis.SimpleWebAuthnBrowser;

/** Under which this browser keeps the ids of passkeys that were used here. An id is no secret. */
const STORED = 'countersign.passkeys';

export const NO_PASSKEYS =
  'This browser allows no passkeys at this address. Open the link over https, in a current browser.';

/** True where the browser can use passkeys here: they are tied to the name of a host, and an address is none. */
export function canUsePasskeys() {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return false;
  return window.isSecureContext && 'credentials' in navigator && browserSupportsWebAuthn();
}

/** @param options PublicKeyCredentialCreationOptionsJSON @returns RegistrationResponseJSON */
export function createPasskey(options) {
  return startRegistration({ optionsJSON: options });
}

/** @param options PublicKeyCredentialRequestOptionsJSON @returns AuthenticationResponseJSON */
export function confirmWithPasskey(options) {
  return startAuthentication({ optionsJSON: options });
}

/** Ends the question that the browser has open, if any. */
export function cancelPasskey() {
  WebAuthnAbortService.cancelCeremony();
}

export function rememberPasskey(id) {
  try {
    localStorage.setItem(STORED, JSON.stringify([...new Set([...remembered(), id])].slice(-50)));
  } catch {
    // A browser that keeps nothing is told a little less.
  }
}

/** True where one of these passkeys was made or used in this browser. */
export function knowsOne(ids) {
  const known = remembered();
  return ids.some((id) => known.includes(id));
}

function remembered() {
  try {
    const ids = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(ids) ? ids : [];
  } catch {
    return [];
  }
}

/** What went wrong, as a sentence. The library's errors have the names that WebAuthn gives them. */
export function explain(error) {
  if (error instanceof NodeError) return error.message;
  switch (error?.name) {
    case 'NotAllowedError':
      return 'Nothing was confirmed: it was canceled, it took too long, or this device has no passkey that is asked for here.';
    case 'InvalidStateError':
      return 'This device has a passkey for this already. It can approve purchases as it is.';
    case 'SecurityError':
      return 'The browser allows no passkey at this address. It must be https, under the name the link was made for.';
    case 'TypeError':
      return 'The node cannot be reached. Check the connection and try again.';
    default:
      return `It did not work: ${error?.message ?? 'unknown reason'}`;
  }
}
