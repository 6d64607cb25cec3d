/** Webhook addresses of services: they lead to the service alone, and their paths are secrets. */
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isLoopback } from '../../../access/clientAddress.ts';
import { faultOfTarget } from '../../../fetch/target.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { ChannelAddress } from './channel.ts';

interface Service {
  readonly name: string;
  /** Its hosts; those that begin with a dot are the ends of hosts. */
  readonly hosts: readonly string[];
  /** How the paths of its webhooks begin. */
  readonly path: RegExp;
  readonly example: string;
}

/**
 * Checks the address of a webhook at a service. A node that lets webhooks lead to private addresses takes this machine's too,
 * where a double of the service runs.
 * @throws Fault BAD_REQUEST
 */
export function keptWebhook(
  { settings: { webhookAllowPrivate: allowPrivate } }: Pick<Deps, 'settings'>,
  text: string,
  { name, hosts, path, example }: Service,
): ChannelAddress {
  const isOwn = allowPrivate && URL.canParse(text) && isLoopback(text);
  const fault = faultOfTarget(text, { allowPrivate: isOwn });
  if (fault !== undefined) throw wrongUrl(fault);
  const url = new URL(text);
  const isTheirs = hosts.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
  if (!(isTheirs || isOwn) || !path.test(url.pathname))
    throw wrongUrl(`must be a webhook of ${name}, such as ${example}`);
  return { url: `${url.origin}/`, address: url.href };
}

function wrongUrl(message: string): Fault {
  return new Fault('BAD_REQUEST', `The url ${message}.`, [{ path: 'url', message }]);
}

const SHOWN = 4;

/** A secret address by its host and its last characters. */
export function shortened(url: string, address = ''): string {
  return `${url}…${address.slice(-SHOWN)}`;
}
