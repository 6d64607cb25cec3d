/** Addresses of this machine. */
import type { IncomingHttpHeaders } from 'node:http';

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
