/** The routes of signing in, which have no method in the typed client: they need no credential. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { ask } from '../node/ask.ts';
import type { Access } from './login.ts';

export interface SignInMethods {
  readonly passkey: boolean;
  /** Whether an OpenID Connect provider is configured. */
  readonly provider: boolean;
  /** Whether there is no OWNER yet. */
  readonly welcome: boolean;
}

export interface ListedInvitation {
  readonly role: string;
  readonly expiresAt: string;
  readonly name?: string;
}

export const waysIn = () => ask<SignInMethods>('GET', '/ap2/auth/ways');

export const beginSignIn = () =>
  ask<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>('POST', '/ap2/auth/passkey/begin', { body: {} });

export const completeSignIn = (credential: AuthenticationResponseJSON) =>
  ask<Access>('POST', '/ap2/auth/passkey/complete', { body: { credential } });

export const viewInvitation = (token: string) =>
  ask<ListedInvitation>('POST', '/ap2/auth/invitations/view', { body: { token } });

export const beginInvitation = (token: string, name: string) =>
  ask<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>('POST', '/ap2/auth/invitations/begin', {
    body: { token, name },
  });

export const acceptInvitation = (token: string, name: string, credential: RegistrationResponseJSON) =>
  ask<Access>('POST', '/ap2/auth/invitations/accept', { body: { token, name, credential } });
