/** Where browsers will use passkeys, and what is said where they will not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeyTrouble, relyingPartyOf } from '../../src/access/presence/relyingParty.ts';

test('the RP id is the host name, the origin is without path', () => {
  const party = relyingPartyOf('https://pay.example:8443/node');
  assert.deepEqual(party, { id: 'pay.example', name: 'Countersign', origin: 'https://pay.example:8443' });
});

test('https under a host name, and localhost, are good for passkeys', () => {
  for (const url of [
    'https://pay.example',
    'http://localhost:8402',
    'http://dev.localhost:1',
    'https://pay.example/x',
  ]) {
    assert.equal(passkeyTrouble(url), undefined, url);
  }
});

test('http elsewhere and IP addresses are warned of, with what to do', () => {
  assert.match(passkeyTrouble('http://192.168.1.4:8402') ?? '', /IP address.*set BASE_URL/);
  assert.match(passkeyTrouble('https://[2001:db8::1]') ?? '', /IP address/);
  assert.match(passkeyTrouble('http://127.0.0.1:8402') ?? '', /IP address/);
  assert.match(passkeyTrouble('http://pay.example') ?? '', /not https.*set BASE_URL/);
});
