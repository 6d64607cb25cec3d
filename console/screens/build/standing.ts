/** How an endpoint and an attempt at a delivery stand, in words. */
import type { Webhook, WebhookLog } from '../../../client/operations.ts';

/** As Status names it. */
export function standingOf({ status, failingSince }: Pick<Webhook, 'status' | 'failingSince'>): string {
  if (status === 'DISABLED') return 'PAUSED';
  return failingSince === undefined ? 'ACTIVE' : 'FAILING';
}

const FAILURES: Readonly<Record<NonNullable<WebhookLog['error']>, string>> = {
  blocked: 'The address is one that the node posts nothing to.',
  dns: 'The name of the host leads nowhere.',
  refused: 'Nothing listens at the address.',
  unreachable: 'The host cannot be reached.',
  reset: 'The connection was closed before an answer came.',
  truncated: 'The answer broke off.',
  timeout: 'No answer came in time.',
  tls: 'The certificate is not one that the node trusts.',
  protocol: 'What answered does not speak HTTP.',
  network: 'The network failed.',
  redirect: 'It answered with a redirect, and the node follows none.',
  status: 'It answered with a status that is no success.',
  secret: 'The node cannot read the secret, and posted nothing. Rotate it.',
};

/** @param error absent after a success */
export function failureText(error: WebhookLog['error']): string | undefined {
  return error === undefined ? undefined : (FAILURES[error] ?? error);
}
