/** What raises risk needs a touch of the passkey that is not older than five minutes: asked for here, for every request. */
import { signal } from '@preact/signals';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ask } from '../node/ask.ts';
import { accessToken } from './login.ts';
import { usePasskey } from './passkeyCeremony.ts';

/** A question that is open: the dialog of the shell shows it. */
export interface StepUp {
  /** Begins the touch, again after one that failed. @throws what went wrong */
  touch(): Promise<void>;
  cancel(): void;
}

export const stepUp = signal<StepUp | undefined>(undefined);

let asked: Promise<boolean> | undefined;

/** @returns whether the person touched the passkey; of requests at the same time one asks */
export function confirmPerson(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    const end = (touched: boolean) => {
      stepUp.value = undefined;
      asked = undefined;
      resolve(touched);
    };
    stepUp.value = {
      async touch() {
        await touchPasskey();
        end(true);
      },
      cancel: () => end(false),
    };
  });
  return asked;
}

async function touchPasskey(): Promise<void> {
  const token = await accessToken();
  const { publicKey } = await ask<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    '/ap2/auth/step-up/begin',
    { body: {}, token },
  );
  const credential = await usePasskey(publicKey);
  await ask('POST', '/ap2/auth/step-up/complete', { body: { credential }, token });
}
