/** Addresses within the console: read, written, and matched with what a screen names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefOf, match, pagesIn, placeOf } from '../../console/shell/places.ts';

test('an address has a path and a query, whatever slashes it was written with', () => {
  for (const [hash, path] of [
    ['', '/'],
    ['#', '/'],
    ['#/', '/'],
    ['#payments/', '/payments'],
    ['#//payments//pm_1', '/payments/pm_1'],
  ]) {
    assert.equal(placeOf(hash as string).path, path, hash);
  }
  const { path, query } = placeOf('#/payments?merchant=a?b&status=PAID');
  assert.deepEqual([path, query.get('merchant'), query.get('status')], ['/payments', 'a?b', 'PAID']);
});

test('what is written is read again, and members without a value are left out', () => {
  const href = hrefOf('/payments', { merchant: 'shop.example&x=1', status: '', agent: undefined });
  assert.equal(href, '#/payments?merchant=shop.example%26x%3D1');
  assert.equal(placeOf(href).query.get('merchant'), 'shop.example&x=1');
  assert.equal(hrefOf('/'), '#/');
});

test('a pattern names parts of the path, and takes no other path', () => {
  assert.deepEqual(match('/agents/:did', '/agents/did%3Akey%3Az6Mk'), { did: 'did:key:z6Mk' });
  assert.deepEqual(match('/', '/'), {});
  assert.equal(match('/agents/:did', '/agents'), undefined);
  assert.equal(match('/agents', '/payments'), undefined);
});

test('a part that is not well encoded is taken as it is', () => {
  assert.deepEqual(match('/agents/:did', '/agents/%E0%A4%A'), { did: '%E0%A4%A' });
});

test('a list has one page unless its address says more, and never more than a hundred', () => {
  const pages = (text: string) => pagesIn(new URLSearchParams(text));
  const given = ['', 'pages=3', 'pages=2.7', 'pages=0', 'pages=-4', 'pages=x', 'pages=1e9', 'pages=Infinity'];
  assert.deepEqual(given.map(pages), [1, 3, 2, 1, 1, 1, 100, 100]);
});
