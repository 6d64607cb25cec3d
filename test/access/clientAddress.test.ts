/** Which address a request is charged to: the socket's, or the last hop before the proxies that are trusted. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { addressSubject, isCidr, isThisMachine, trustedProxies } from '../../src/access/clientAddress.ts';

const request = (remoteAddress: string, forwarded?: string | string[]) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;
const NONE = trustedProxies([]);
const LOCAL = trustedProxies(['127.0.0.0/8', '::1/128', '10.0.0.0/8']);

const CASES: readonly (readonly [string, IncomingMessage, ReturnType<typeof trustedProxies>, string])[] = [
  ['the socket’s address', request('203.0.113.7'), LOCAL, '203.0.113.7'],
  ['no header of a client that is not a trusted proxy', request('203.0.113.7', '198.51.100.1'), LOCAL, '203.0.113.7'],
  ['no header where no proxy is trusted', request('127.0.0.1', '198.51.100.1'), NONE, '127.0.0.0/8'],
  ['the hop that a trusted proxy appended', request('127.0.0.1', '198.51.100.1'), LOCAL, '198.51.100.1'],
  [
    'the last hop, not the one that the client made up',
    request('127.0.0.1', '1.1.1.1, 198.51.100.1'),
    LOCAL,
    '198.51.100.1',
  ],
  ['the hop before two proxies', request('127.0.0.1', '198.51.100.1, 10.1.2.3'), LOCAL, '198.51.100.1'],
  ['a header of several lines', request('127.0.0.1', ['1.1.1.1', '198.51.100.1']), LOCAL, '198.51.100.1'],
  ['the proxy itself for a hop that is no address', request('127.0.0.1', 'unknown'), LOCAL, '127.0.0.0/8'],
  ['the proxy itself without a header', request('127.0.0.1'), LOCAL, '127.0.0.0/8'],
  ['one address for all of this machine’s', request('127.8.9.10', '198.51.100.1'), NONE, '127.0.0.0/8'],
  ['IPv4 that IPv6 carries', request('::ffff:203.0.113.7'), LOCAL, '203.0.113.7'],
  ['a hop with a port', request('::1', '198.51.100.1:4711'), LOCAL, '198.51.100.1'],
  ['IPv6 by its /64', request('2001:db8:1:2:3:4:5:6'), LOCAL, '2001:db8:1:2::/64'],
  ['IPv6 with zeros left out', request('2001:db8::6'), LOCAL, '2001:db8:0:0::/64'],
  ['IPv6 in brackets with a port', request('::1', '[2001:DB8:0001:2::9]:443'), LOCAL, '2001:db8:1:2::/64'],
];

for (const [name, asked, proxies, expected] of CASES) {
  test(`a request is charged to ${name}`, () => {
    assert.equal(addressSubject(asked, proxies), `address ${expected}`);
  });
}

test('a network is an address and the length of its prefix', () => {
  for (const text of ['10.0.0.0/8', '127.0.0.1/32', '::1/128', 'fd00::/8']) assert.ok(isCidr(text), text);
  for (const text of ['10.0.0.0', '10.0.0.0/33', '::1/129', 'proxy/8', '10.0.0.0/8/8', ''])
    assert.ok(!isCidr(text), text);
});

test('a request from this machine is told apart, unless a proxy brings it', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8']) {
    assert.ok(isThisMachine(addressSubject(request(address), NONE)), address);
  }
  assert.ok(!isThisMachine(addressSubject(request('203.0.113.7'), NONE)));
  assert.ok(!isThisMachine(addressSubject(request('127.0.0.1'), LOCAL)), 'a proxy that is trusted');
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    const asked = { ...request('127.0.0.1'), headers: { [name]: '127.0.0.1' } } as never;
    assert.ok(!isThisMachine(addressSubject(asked, NONE)), name);
  }
});
