/** Merkle trees against the published vectors of Certificate Transparency, and by their properties. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import {
  consistencyProof,
  emptyRoot,
  inclusionProof,
  leafHash,
  rootOf,
  subtreeOf,
  verifyConsistency,
  verifyInclusion,
} from '../../../protocol/evidence/log/merkle.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

function treeOf(entries: readonly Uint8Array[]) {
  const leaves = entries.map((entry) => leafHash(suite, entry));
  return subtreeOf(suite, (from, to) => (to - from === 1 ? leaves[from] : undefined));
}

test('roots are those of the reference vectors', () => {
  assert.equal(hex(emptyRoot(suite)), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const tree = treeOf(LEAVES.map((text) => Buffer.from(text, 'hex')));
  ROOTS.forEach((root, index) => {
    assert.equal(hex(rootOf(suite, index + 1, tree)), root);
  });
});

test('the consistency proof from 3 to 7 entries is the one RFC 9162 draws', () => {
  const entries = Array.from({ length: 7 }, (_, i) => Buffer.from(`d${i}`));
  const tree = treeOf(entries);
  const proof = consistencyProof(3, 7, tree).map(hex);
  assert.deepEqual(proof, [tree(2, 3), tree(3, 4), tree(0, 2), tree(4, 7)].map(hex));
  assert.deepEqual(consistencyProof(4, 7, tree).map(hex), [hex(tree(4, 7))]);
});

test('every entry of every tree up to 40 is proven to be in it, and nothing else is', () => {
  const entries = Array.from({ length: 40 }, (_, i) => Buffer.from(`entry ${i}`));
  const tree = treeOf(entries);
  for (let size = 1; size <= 40; size++) {
    const root = rootOf(suite, size, tree);
    for (let index = 0; index < size; index++) {
      const leaf = tree(index, index + 1);
      const proof = inclusionProof(index, size, tree);
      assert.ok(verifyInclusion(suite, { index, size, leaf, root }, proof));
      assert.ok(!verifyInclusion(suite, { index: (index + 1) % (size + 1), size, leaf, root }, proof));
      assert.ok(!verifyInclusion(suite, { index, size, leaf, root }, [...proof, leaf]));
      if (proof.length > 0) assert.ok(!verifyInclusion(suite, { index, size, leaf, root }, proof.slice(1)));
    }
  }
});

test('every tree up to 40 is proven to begin with every shorter one, and with no other', () => {
  const tree = treeOf(Array.from({ length: 40 }, (_, i) => Buffer.from(`entry ${i}`)));
  const rewritten = treeOf(Array.from({ length: 40 }, (_, i) => Buffer.from(i === 0 ? 'other' : `entry ${i}`)));
  for (let size = 1; size <= 40; size++) {
    const later = { size, root: rootOf(suite, size, tree) };
    for (let earlier = 1; earlier <= size; earlier++) {
      const proof = consistencyProof(earlier, size, tree);
      assert.ok(verifyConsistency(suite, { size: earlier, root: rootOf(suite, earlier, tree) }, later, proof));
      const other = { size: earlier, root: rootOf(suite, earlier, rewritten) };
      assert.ok(!verifyConsistency(suite, other, later, proof));
      assert.ok(!verifyConsistency(suite, other, later, consistencyProof(earlier, size, rewritten)));
    }
    assert.ok(!verifyConsistency(suite, { size: size + 1, root: later.root }, later, []));
  }
});

test('a changed byte in a proof, a leaf or a root is noticed', () => {
  const tree = treeOf(Array.from({ length: 100 }, (_, i) => Buffer.from(`entry ${i}`)));
  const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at % bytes.length ? byte ^ 1 : byte));
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100 }), fc.nat(), fc.nat(), fc.nat(), (size, seed, which, at) => {
      const index = seed % size;
      const proof = inclusionProof(index, size, tree);
      const claim = { index, size, leaf: tree(index, index + 1), root: rootOf(suite, size, tree) };
      const broken = proof.map((hash, i) => (i === which % proof.length ? flip(hash, at) : hash));
      assert.ok(!verifyInclusion(suite, claim, broken));
      assert.ok(!verifyInclusion(suite, { ...claim, leaf: flip(claim.leaf, at) }, proof));
      assert.ok(!verifyInclusion(suite, { ...claim, root: flip(claim.root, at) }, proof));
    }),
  );
});
