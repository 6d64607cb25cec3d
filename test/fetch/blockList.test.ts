/** No connection reaches an address that is not public, however it is written or looked up. */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { isBlocked } from '../../src/fetch/blockList.ts';
import type { Dial } from '../../src/fetch/connector.ts';
import { safeClient } from '../../src/fetch/safeClient.ts';
import { faultOfTarget } from '../../src/fetch/target.ts';
import { startDns } from '../support/dnsServer.ts';

const list = (text: string): string[] => text.trim().split(/\s+/);

/** Addresses that the node must not connect to, as they stand in a host. */
const ADDRESSES_4 = list(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3
  127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1
  192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1
  198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`);
const ADDRESSES_6 = list(`
  :: ::1 ::2 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
  ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1
  2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:1::1
  2620:4f:8000::1 3ffe::1 3fff::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fe80::1 febf::1 fec0::1
  ff00::1 ff02::1 ff05::1`);
/** The same few addresses, spelled in ways a parser takes for a name and a socket does not. */
const ODD_HOSTS = list(`
  127.1 127.0.1 0 0x0 0x7f000001 0x7F000001 2130706433 017700000001 0177.0.0.1 0177.0.0.01 0x7f.0.0.1 0x7f.1
  127.0x1 127.0.0.0x1 127.000.000.001 00000177.0.0.1 0x0000007f.0.0.1 127.0.0.1. 2130706433. 0x7f000001. 10.1
  0xa000001 167772161 012.0.0.1 192.168.1 0xc0a80001 3232235521 0300.0250.0.1 169.254.43518 0xa9fea9fe 2852039166
  0251.0376.0251.0376 0xa9.0xfe.0xa9.0xfe 172.1048577 100.6291457 0xffffffff 4294967295 %31%32%37.0.0.1
  127%2e0%2e0%2e1 127。0。0。1 127．0．0．1 １２７.0.0.1 ①②⑦.0.0.1 0x７f000001 localhost LOCALHOST LocalHost localhost.
  a.localhost a.b.localhost. loc%61lhost ｌocalhost localhost.localdomain printer.local printer.local. db.internal
  metadata.google.internal router.home.arpa intranet intranet. kubernetes`);

const bracketed = ADDRESSES_6.map((address) => `[${address}]`);
const shouted = ADDRESSES_6.map((address) => `[${address.toUpperCase()}]`);
const zoned = ['[fe80::1%eth0]', '[fe80::1%25eth0]', '[::1%lo]', '[::1%25lo]'];
const long = ['[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[0:0:0:0:0:ffff:127.0.0.1]'];
const FORMS = [
  ...ADDRESSES_4,
  ...ADDRESSES_4.map((address) => `${address}.`),
  ...bracketed,
  ...shouted,
  ...zoned,
  ...long,
  ...ODD_HOSTS,
];

const PUBLIC = list(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255
  172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.255 2600::1
  2606:4700:4700::1111 2a00:1450:4001::1 2001:4860:4860::8888`);

describe('the safe client', () => {
  let reached = 0;
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    reached += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi');
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, () => resolve()));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const limits = { timeoutMs: 3000, maxAnswerBytes: 1000 };
  const get = (url: string) => ({ method: 'GET' as const, url: new URL(url), headers: {} });

  test(`reaches no blocked address, in ${FORMS.length} spellings`, async () => {
    assert.ok(FORMS.length >= 200, `there are ${FORMS.length}`);
    const dialled: string[] = [];
    // What would be dialled in earnest is written down and refused.
    const dial: Dial = (target, callback) => {
      dialled.push(target.hostname);
      callback(Object.assign(new Error('not in a test'), { code: 'ECONNREFUSED' }), null);
    };
    // The worst that a name could mean.
    const resolve = async () => ['127.0.0.1'];
    const client = safeClient({ ...limits, allowPrivate: false, dial, resolve });
    try {
      const wrong: string[] = [];
      for (const host of FORMS) {
        for (const text of [`https://${host}:${port}/`, `https://${host}/`]) {
          if (faultOfTarget(text, { allowPrivate: false }) === undefined) wrong.push(`${text} is taken`);
          // As if it had not been checked when it was written down.
          if (!URL.canParse(text)) continue;
          const { failure } = await client.exchange(get(text));
          if (failure !== 'blocked') wrong.push(`${text} ended in ${failure}`);
        }
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(dialled, []);
      assert.equal(reached, 0);
    } finally {
      await client.close();
    }
  });

  test('lets public addresses through', () => {
    for (const address of PUBLIC) {
      assert.equal(isBlocked(address), false, address);
      const host = address.includes(':') ? `[${address}]` : address;
      assert.equal(faultOfTarget(`https://${host}/hook`, { allowPrivate: false }), undefined, address);
    }
    assert.equal(faultOfTarget('https://hooks.example.com./x?y=1', { allowPrivate: false }), undefined);
  });

  test('blocks every IPv4 address that is mapped, translated or tunnelled into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        for (const prefix of [`::ffff:`, '::', '64:ff9b::']) assert.ok(isBlocked(`${prefix}${high}:${low}`));
        assert.ok(isBlocked(`2002:${high}:${low}::1`));
        assert.ok(isBlocked(`2001:0:${high}:${low}::`));
      }),
    );
  });

  test('wants https, a host, and no password; http and private addresses only where they are allowed', () => {
    const strict = (text: string) => faultOfTarget(text, { allowPrivate: false });
    const free = (text: string) => faultOfTarget(text, { allowPrivate: true });
    assert.match(strict('http://hooks.example.com/') ?? '', /https/);
    assert.match(strict('ftp://hooks.example.com/') ?? '', /https/);
    assert.match(strict('not an address') ?? '', /with its scheme/);
    assert.match(strict('https://user:secret@hooks.example.com/') ?? '', /password/);
    assert.match(strict('https://hooks.example.com:0/') ?? '', /port 0/);
    assert.equal(free('http://127.0.0.1:8080/hook'), undefined);
    assert.match(free('file:///etc/passwd') ?? '', /https?:/);
    assert.match(free('javascript:alert(1)') ?? '', /https?:/);
  });

  test('asks for a name once, and connects to what it looked at, even where the name would resolve otherwise next', async () => {
    const dns = await startDns((name, nth) => {
      if (name === 'flip.example') return nth % 2 === 0 ? ['93.184.216.34'] : ['127.0.0.1'];
      if (name === 'flop.example') return nth % 2 === 0 ? ['127.0.0.1'] : ['93.184.216.34'];
      if (name === 'both.example') return ['93.184.216.34', '127.0.0.1'];
      if (name === 'six.example') return ['::1'];
      if (name === 'mapped.example') return ['::ffff:7f00:1'];
      return [];
    });
    const dialled: string[] = [];
    const dial: Dial = (target, callback) => {
      dialled.push(target.hostname);
      // The public address answers from here; nothing of this test leaves the machine.
      const socket = connect(Number(target.port), '127.0.0.1', () => callback(null, socket));
    };
    const client = safeClient({ ...limits, allowPrivate: false, resolve: dns.resolve, dial });
    try {
      const before = reached;
      let ok = 0;
      for (let round = 0; round < 20; round++) {
        for (const name of ['flip', 'flop', 'both', 'six', 'mapped', 'nothing']) {
          const { failure, status } = await client.exchange(get(`http://${name}.example:${port}/`));
          if (failure === undefined && status === 200) ok += 1;
          else assert.match(String(failure), /blocked|dns/, name);
        }
      }
      assert.equal(ok, 20, 'half of the flipping answers');
      assert.equal(reached - before, 20);
      assert.deepEqual([...new Set(dialled)], ['93.184.216.34']);
      assert.ok(dns.questions() >= 200);
    } finally {
      await client.close();
      await dns.close();
    }
  });
});
