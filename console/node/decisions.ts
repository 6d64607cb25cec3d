/** Deciding on a purchase: what the approval page asks, by the same routes, which go by the approval's id and the passkey. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { ApprovalView } from '../../protocol/approval.ts';
import { usePasskey } from '../login/passkeyCeremony.ts';
import { ask } from './ask.ts';
import { node } from './node.ts';

interface DecisionChallenge {
  readonly challengeId: string;
  readonly publicKey: PublicKeyCredentialRequestOptionsJSON;
}

export function viewPurchase(id: string, signal: AbortSignal): Promise<ApprovalView> {
  return ask<ApprovalView>('GET', `${pathOf(id)}/purchase`, { signal });
}

/** One touch of a passkey that is enrolled for the agent or its principal. @returns the purchase as it stands then */
export async function approve(id: string): Promise<ApprovalView> {
  const { challengeId, publicKey } = await ask<DecisionChallenge>('POST', `${pathOf(id)}/begin`, {
    body: { decision: 'approve' },
  });
  const credential = await usePasskey(publicKey);
  return ask<ApprovalView>('POST', `${pathOf(id)}/complete`, { body: { challengeId, credential } });
}

/** What lowers risk waits for no touch. */
export async function deny(id: string): Promise<void> {
  await node.denyApproval({ id });
}

function pathOf(id: string): string {
  return `/approve/${encodeURIComponent(id)}`;
}
