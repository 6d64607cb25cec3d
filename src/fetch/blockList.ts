/**
 * Addresses outside the public internet: those of the IANA special-purpose registries (RFC 6890) and the metadata
 * services of clouds.
 */
import { BlockList, isIP } from 'node:net';

const BLOCKED_4 = [
  '0.0.0.0/8', // this host, unspecified
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598), a cloud's metadata among it
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host service
  '169.254.0.0/16', // link-local, most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, a cloud's metadata among them
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** The only block assigned as global unicast; mapped, translated, local and multicast addresses lie outside it. */
const GLOBAL_6 = ['2000::/3'];

/** Parts of it that are not public. */
const BLOCKED_6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which holds any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
];

const blocked = listOf(BLOCKED_4, BLOCKED_6);
const global6 = listOf([], GLOBAL_6);

/**
 * Whether an address may not be connected to.
 * @param address an IPv4 or IPv6 address; anything else, and one with a zone, is blocked
 */
export function isBlocked(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return true;
  const family = isIP(address);
  if (family === 4) return blocked.check(address, 'ipv4');
  return family !== 6 || !global6.check(address, 'ipv6') || blocked.check(address, 'ipv6');
}

function listOf(four: readonly string[], six: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (subnet: string, family: 'ipv4' | 'ipv6') => {
    const [network, bits] = subnet.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  };
  for (const subnet of four) add(subnet, 'ipv4');
  for (const subnet of six) add(subnet, 'ipv6');
  return list;
}
