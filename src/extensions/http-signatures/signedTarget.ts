/** Which requests are signed: those to the merchant of one purchase, written as they will be sent. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { LOOPBACK_DOMAIN, type RequestedUrl, requestedUrl, wrongUrl } from '../../domain/httpPayments/merchantOf.ts';
import type { Deps } from '../../usecase/deps.ts';

/**
 * @param merchant the domain of the purchase
 * @throws Fault BAD_REQUEST for an address that is not written as it will be sent, FORBIDDEN for one of another host
 */
export function signedTarget(deps: Pick<Deps, 'settings'>, text: string, merchant: string): RequestedUrl {
  const requested = requestedUrl(deps, text);
  const { pathname, search, port } = new URL(text);
  // Behind another port another program may answer; on this machine every program has one.
  if (port !== '' && requested.merchant !== LOOPBACK_DOMAIN)
    throw wrongUrl('must have no port: the purchase names none');
  // What is signed must be what is sent: dots, spaces and backslashes would be resolved by some clients, and sent as they are by others.
  const [, sent] = /^[a-z]+:\/\/[^/?#\\]+([^#]*)/i.exec(text) ?? [];
  if (sent === undefined || (sent.startsWith('/') ? sent : `/${sent}`) !== pathname + search) {
    throw wrongUrl(`must be written as it is sent: its path and query are ${pathname}${search}`);
  }
  if (requested.merchant === merchant || requested.merchant.endsWith(`.${merchant}`)) return requested;
  throw new Fault(
    'FORBIDDEN',
    `The purchase is from ${merchant}: a request to ${requested.merchant} is not signed for it.`,
  );
}
