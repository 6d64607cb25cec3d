/** Why nothing arrived at an address that the node posted to. */
import type { WebhookLog } from '../../../client/operations.ts';

const FAILURES: Readonly<Record<NonNullable<WebhookLog['error']>, string>> = {
  blocked: 'The address is one that the node posts nothing to.',
  dns: 'The name of the host leads nowhere.',
  refused: 'Nothing listens at the address.',
  unreachable: 'The host cannot be reached.',
  reset: 'The connection was closed before an answer came.',
  truncated: 'The answer broke off.',
  timeout: 'No answer came in time.',
  tls: 'The certificate is not one that the node trusts.',
  protocol: 'The answer is not HTTP.',
  network: 'The network failed.',
  redirect: 'The endpoint answered with a redirect, which the node does not follow.',
  status: 'The endpoint answered with an error status.',
  secret: 'The node cannot read the secret, and posted nothing. Rotate it.',
  settings: 'The node has no mail server. Its operator sets SMTP_URL and SMTP_FROM.',
};

/** @param error absent after a success */
export function failureText(error: WebhookLog['error']): string | undefined {
  return error === undefined ? undefined : (FAILURES[error] ?? error);
}
