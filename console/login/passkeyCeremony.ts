/** Passkeys in the browser: making one, and using one. Loaded when the user is about to. */
import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** Passkeys are tied to the name of a host; an IP address has no such name. */
export function canUsePasskeys(): boolean {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return false;
  return isSecureContext && 'credentials' in navigator && browserSupportsWebAuthn();
}

export function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON> {
  return startRegistration({ optionsJSON: options });
}

export function usePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON> {
  return startAuthentication({ optionsJSON: options });
}
