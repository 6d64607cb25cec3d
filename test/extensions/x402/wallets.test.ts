/** Wallets: whose they are, and that their keys never come out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sealer } from '../../../src/crypto/seal.ts';
import { resealAll } from '../../../src/domain/operator/rotateRoot.ts';
import { sealPlainUrls } from '../../../src/extensions/x402/sealPlainUrls.ts';
import { findWalletById, rpcContext, walletContext } from '../../../src/store/statements/registry/wallets.ts';
import { all, get } from '../../../src/store/store.ts';
import { memoryNode } from '../../support/memoryNode.ts';

/** The first account of every chain of developers. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const NETWORK = 'eip155:8453';

describe('a wallet', () => {
  test('is shown by its address, and never with its key or what its chain is asked by', async () => {
    const node = await memoryNode();
    const rpcUrl = 'https://rpc.example/v1/secret-of-the-provider';
    const wallet = await node.run('createWallet', { network: NETWORK, privateKey: KEY, rpcUrl });
    assert.match(wallet.id, /^wal_/);
    assert.deepEqual([wallet.address, wallet.network, wallet.rpcHost], [ADDRESS, NETWORK, 'rpc.example']);
    const shown = await node.run('getWallet', { id: wallet.id });
    assert.deepEqual(shown, wallet);
    const { data } = await node.run('listWallets', { limit: 10 });
    assert.deepEqual(data, [wallet]);
    const events = await node.run('searchEvidence', { limit: 50 });
    const stored = await node.deps.store.read(() => all('SELECT * FROM wallets'));
    for (const text of [JSON.stringify([wallet, shown, data, events]), JSON.stringify(stored)]) {
      assert.ok(!text.includes(KEY.slice(2)) && !text.includes(Buffer.from(KEY.slice(2), 'hex').toString('base64url')));
    }
    assert.ok(!JSON.stringify([events, stored]).includes('secret-of-the-provider'));
  });

  test('has a key of its own where none is given', async () => {
    const node = await memoryNode();
    const one = await node.run('createWallet', { network: NETWORK });
    const other = await node.run('createWallet', { network: NETWORK });
    assert.match(one.address, /^0x[0-9a-fA-F]{40}$/);
    assert.notEqual(one.address, other.address);
  });

  test('is one for each address of a chain', async () => {
    const node = await memoryNode();
    await node.run('createWallet', { network: NETWORK, privateKey: KEY });
    await assert.rejects(
      node.run('createWallet', { network: NETWORK, privateKey: KEY.toUpperCase().replace('X', 'x') }),
      {
        code: 'CONFLICT',
      },
    );
    await node.run('createWallet', { network: 'eip155:1', privateKey: KEY });
  });

  test('governs the principal whose money it is', async () => {
    const node = await memoryNode();
    const { did: principalDid } = await node.agent();
    await node.run('createWallet', { network: NETWORK, principalDid });
    assert.deepEqual((await node.events()).slice(-2), ['PRINCIPAL_REGISTERED', 'WALLET_ADDED']);
  });

  test('is not added by a key that is none, nor with a chain that is asked where the node does not ask', async () => {
    const node = await memoryNode();
    const zero = `0x${'0'.repeat(64)}`;
    await assert.rejects(node.run('createWallet', { network: NETWORK, privateKey: zero }), (error: Error) => {
      return /secp256k1/.test(error.message) && !error.message.includes('000000');
    });
    for (const rpcUrl of ['http://rpc.example', 'https://10.0.0.1/', 'ftp://rpc.example', 'https://a:b@rpc.example/']) {
      await assert.rejects(node.run('createWallet', { network: NETWORK, rpcUrl }), /rpcUrl must/);
    }
    await node.run('createWallet', { network: NETWORK, rpcUrl: 'http://127.0.0.1:8545' });
    const inProduction = await memoryNode({ AP2_ENV: 'production' });
    await assert.rejects(
      inProduction.run('createWallet', { network: NETWORK, rpcUrl: 'http://127.0.0.1:8545' }),
      /rpcUrl must/,
    );
  });

  test('is sealed anew with all else once the root key is another one', async () => {
    const { run, deps } = await memoryNode();
    const rpcUrl = 'https://rpc.example/v1/secret';
    const { id } = await run('createWallet', { network: NETWORK, privateKey: KEY, rpcUrl });
    const next = sealer(new Uint8Array(32).fill(9));
    await deps.store.write('', () => resealAll(deps.sealer, { sealer: next, mark: 'next' }));
    const row = await deps.store.read(() => findWalletById(id));
    assert.equal(next.open(String(row?.sealed_key), walletContext(id)), KEY);
    assert.equal(next.open(String(row?.sealed_rpc_url), rpcContext(id)), rpcUrl);
  });

  test('of an earlier version has what its chain is asked by sealed, and is asked there as before', async () => {
    const { run, deps } = await memoryNode();
    const { id, rpcHost } = await run('createWallet', { network: NETWORK, rpcUrl: 'https://rpc.example/v1/secret' });
    const before = await deps.store.read(() => findWalletById(id));
    await deps.store.write(String(before?.tenant_id), function* () {
      const plain = `rpc_url = 'https://rpc.example/v1/secret', sealed_rpc_url = NULL, rpc_host = NULL`;
      yield* get(`UPDATE wallets SET ${plain} RETURNING id`);
    });
    await sealPlainUrls(deps);
    await sealPlainUrls(deps);
    const row = await deps.store.read(() => findWalletById(id));
    assert.deepEqual([row?.rpc_url, row?.rpc_host], [null, 'rpc.example']);
    assert.equal(deps.sealer.open(String(row?.sealed_rpc_url), rpcContext(id)), 'https://rpc.example/v1/secret');
    assert.equal((await run('getWallet', { id })).rpcHost, rpcHost);
  });

  test('is removed with its key', async () => {
    const { run, deps } = await memoryNode();
    const { id } = await run('createWallet', { network: NETWORK });
    await run('removeWallet', { id });
    assert.equal(await deps.store.read(() => findWalletById(id)), undefined);
    await assert.rejects(run('getWallet', { id }), { code: 'NOT_FOUND' });
  });
});
