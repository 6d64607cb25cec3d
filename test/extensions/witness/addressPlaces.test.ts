/** The connections that one address may hold at a witness. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { addressPlaces } from '../../../src/extensions/witness/serving/addressPlaces.ts';

const socket = (remoteAddress: string) => Object.assign(new EventEmitter(), { remoteAddress }) as unknown as Socket;

test('an address holds so many connections, and another has its own places', () => {
  const places = addressPlaces(2);
  const first = socket('203.0.113.7');
  assert.deepEqual([places.take(first), places.take(socket('::ffff:203.0.113.7'))], [true, true]);
  assert.equal(places.take(socket('203.0.113.7')), false);
  assert.equal(places.take(socket('203.0.113.8')), true);
  first.emit('close');
  assert.deepEqual([places.take(socket('203.0.113.7')), places.take(socket('203.0.113.7'))], [true, false]);
});

test('the addresses of one IPv6 network, which one customer has, count as one', () => {
  const places = addressPlaces(1);
  assert.equal(places.take(socket('2001:db8:1:2::1')), true);
  assert.equal(places.take(socket('2001:db8:1:2:ffff::9')), false);
  assert.equal(places.take(socket('2001:db8:1:3::1')), true);
});

test('connections of this machine are not counted, since a proxy may be behind them', () => {
  const places = addressPlaces(1);
  for (const address of ['127.0.0.1', '127.0.0.1', '::1', '::1', '::ffff:127.0.0.1']) {
    assert.equal(places.take(socket(address)), true);
  }
});
