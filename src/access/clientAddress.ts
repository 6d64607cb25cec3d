/** The address that a request came from, the name under which the rate limiter counts it, and what is this machine's own. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { memoize } from '../../protocol/wire/memoize.ts';

/** The networks of proxies whose X-Forwarded-For is believed. */
export interface TrustedProxies {
  has(address: string): boolean;
}

/** Addresses of sockets: a client that keeps its connection, and a proxy, come with each request from the same one. */
const REMEMBERED = 1000;
const CIDR = /^([0-9a-f.:]+)\/(\d{1,3})$/i;

/** True for a network such as 10.0.0.0/8 or fd00::/8. */
export function isCidr(text: string): boolean {
  const [, network = '', bits = ''] = CIDR.exec(text) ?? [];
  const family = isIP(network);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** @param networks as `isCidr` accepts them */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const text of networks) {
    const [network = '', bits = ''] = text.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return { has: memoize(REMEMBERED, (address) => isIP(address) !== 0 && list.check(address, familyOf(address))) };
}

/**
 * The name of a request's address among those that are charged: the socket's address or, where that is a trusted
 * proxy, the last hop of X-Forwarded-For that is not. Only trusted proxies append to what a client may have made up, so
 * the header is read from its end. IPv6 counts by its /64 network, which is what one customer has (RFC 6177).
 */
export function addressSubject(request: IncomingMessage, proxies: TrustedProxies): string {
  const address = socketAddress(request.socket.remoteAddress ?? '');
  if (proxies.has(address)) return nameOf(lastForeignHop(address, request, proxies));
  return isLoopbackAddress(address) && !isForwarded(request.headers) ? THIS_MACHINE : nameOf(address);
}

/** The name of this machine's own addresses, where no proxy brings the request. */
const THIS_MACHINE = 'this machine';

/** @param subject of addressSubject */
export function isThisMachine(subject: string): boolean {
  return subject === THIS_MACHINE;
}

function lastForeignHop(proxy: string, request: IncomingMessage, proxies: TrustedProxies): string {
  const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let address = proxy;
  while (proxies.has(address)) {
    const before = plain(hops.pop()?.trim() ?? '');
    // A hop that is no address says nothing; the proxy itself is charged then.
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** The name of a socket's own address among those that are counted; undefined for a proxy, which brings many clients. */
export function peerSubject(remoteAddress: string | undefined, proxies: TrustedProxies): string | undefined {
  const address = socketAddress(remoteAddress ?? '');
  return proxies.has(address) ? undefined : nameOf(address);
}

const nameOf = memoize(REMEMBERED, (address) => `address ${networkText(address)}`);

/** Of this machine every address of 127.0.0.0/8 is one: a program on it has them all. */
function networkText(address: string): string {
  if (isIP(address) === 6) return networkOf(address);
  return address.startsWith('127.') && isIP(address) === 4 ? '127.0.0.0/8' : address;
}

/** An address without brackets, port and zone, and IPv4 as itself where IPv6 carries it. */
function plain(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.toLowerCase();
}

const socketAddress = memoize(REMEMBERED, plain);

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  // An IPv4 part at the end stands for two groups.
  const missing = 8 - before.length - after.length - (address.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, missing)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** @param url absolute */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** @param host as the header Host names it, with a port or without */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return false;
  const url = `http://${host}`;
  return URL.canParse(url) && isLoopback(url);
}

/** @param address of a socket's peer; IPv4 also in its form mapped into IPv6 */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}

/** Headers by which proxies say for whom they ask, or under which name they were asked; few of them are standard. */
const FORWARDING = /^(forwarded|via|x-forwarded.*|x-original-.*|x-real-ip|.*client-ip|.*connecting-ip|x-envoy-.*)$/;

/** Whether a proxy brings the request: its caller may be anywhere, though the proxy is on this machine. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (FORWARDING.test(name)) return true;
  return false;
}
