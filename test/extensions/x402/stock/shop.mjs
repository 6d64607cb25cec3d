// A shop, its facilitator and a chain of the stock packages, and the stock client that is paid by a node: says what came of each
// purchase as JSON. Runs in a folder with the packages. Arguments: address and key of the node, DID of the agent,
// the token's bytecode, and the chain's program.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme as ServerScheme } from '@x402/evm/exact/server';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { paymentMiddleware, x402ResourceServer } from '@x402/hono';
import { countersign, x402Scheme } from 'countersign-client';
import { Hono } from 'hono';
import { createWalletClient, http, parseAbi, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { anvil as chain } from 'viem/chains';

const [node, key, agentDid, bytecode, anvilProgram] = process.argv.slice(2);
const NETWORK = 'eip155:31337';
const MNEMONIC = 'test test test test test test test test test test test junk';
const PAYEE = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const ABI = parseAbi(['function mint(address,uint256)', 'function balanceOf(address) view returns (uint256)']);

const port = 20000 + (process.pid % 20000);
const anvil = spawn(anvilProgram, ['--silent', '--host', '127.0.0.1', '--port', String(port)]);
// Ended from outside, it leaves no chain behind.
process.on('SIGTERM', () => {
  anvil.kill();
  process.exit(1);
});
const rpcUrl = `http://127.0.0.1:${port}`;
const account = mnemonicToAccount(MNEMONIC);
const operator = createWalletClient({ account, chain, transport: http(rpcUrl) }).extend(publicActions);

async function rest(method, path, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(node + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}

async function untilUp() {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return await operator.getBlockNumber();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('the chain does not start');
}

async function deploy(wallet) {
  const hash = await operator.deployContract({ abi: ABI, bytecode: `0x${readFileSync(bytecode, 'utf8').trim()}` });
  const { contractAddress: asset } = await operator.waitForTransactionReceipt({ hash });
  const minted = await operator.writeContract({
    address: asset,
    abi: ABI,
    functionName: 'mint',
    args: [wallet, 10n ** 12n],
  });
  await operator.waitForTransactionReceipt({ hash: minted });
  return asset;
}

/** @returns the address of a shop, and a switch that loses the answers of its facilitator */
async function openShop(asset) {
  const facilitator = new x402Facilitator();
  facilitator.register(
    NETWORK,
    new FacilitatorScheme(toFacilitatorEvmSigner({ ...operator, address: account.address })),
  );
  const shop = { isLossy: false };
  const client = {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    async settle(payload, requirements) {
      const settled = await facilitator.settle(payload, requirements);
      if (shop.isLossy) throw new Error('the answer was lost');
      return settled;
    },
    getSupported: async () => facilitator.getSupported(),
  };
  const resources = new x402ResourceServer(client).register(NETWORK, new ServerScheme());
  const priced = (amount) => {
    const price = { amount, asset, extra: { name: 'Test Dollar', version: '1' } };
    return { accepts: { scheme: 'exact', network: NETWORK, payTo: PAYEE, price, maxTimeoutSeconds: 60 } };
  };
  const app = new Hono();
  app.use(
    paymentMiddleware(
      { 'GET /report': priced('500000'), 'GET /other': priced('700000'), 'GET /dear': priced('900000000') },
      resources,
    ),
  );
  for (const path of ['/report', '/other', '/dear']) app.get(path, (context) => context.json({ bought: path }));
  await new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port: at }) => {
      shop.address = `http://127.0.0.1:${at}`;
      shop.close = () => server.close();
      resolve();
    });
  });
  return shop;
}

const told = [];
const client = countersign({ baseUrl: node, credential: { apiKey: key } });
const paying = {
  authorizeHttpPayment: async (input) => (told[0] = await client.authorizeHttpPayment(input)),
  settleHttpPayment: async (report) => (told[1] = await client.settleHttpPayment(report)),
};
const plug = x402Scheme(paying, { agentDid });
const stock = new x402Client().setSpendControls(false).register('eip155:*', plug.scheme);
const buyingFetch = wrapFetchWithPayment(plug.fetch, stock);

/** Buys by the stock client, which the node pays. */
async function buy(url) {
  told.length = 0;
  try {
    const answer = await buyingFetch(url);
    const [authorized, payment] = told;
    const { nonce } = authorized.paymentPayload.payload.authorization;
    return { status: answer.status, body: await answer.text(), payment, nonce };
  } catch (error) {
    return { error: String(error), authorized: told[0] };
  }
}

async function play() {
  await untilUp();
  const asset = await deploy(account.address);
  const assets = [{ asset, name: 'Test Dollar', version: '1', symbol: 'TST', decimals: 6, currency: 'USD' }];
  const wallet = await rest('POST', '/ap2/admin/wallets', { network: NETWORK, rpcUrl, assets });
  const minted = await operator.writeContract({
    address: asset,
    abi: ABI,
    functionName: 'mint',
    args: [wallet.address, 10n ** 12n],
  });
  await operator.waitForTransactionReceipt({ hash: minted });
  const earned = async () =>
    String(await operator.readContract({ address: asset, abi: ABI, functionName: 'balanceOf', args: [PAYEE] }));
  const shop = await openShop(asset);
  const bought = { ...(await buy(`${shop.address}/report`)), earned: await earned() };
  const dear = { ...(await buy(`${shop.address}/dear`)), earned: await earned() };
  shop.isLossy = true;
  const lost = { ...(await buy(`${shop.address}/other`)), earned: await earned() };
  shop.isLossy = false;
  const again = {
    ...(await buy(`${shop.address}/other`)),
    earned: await earned(),
  };
  process.stdout.write(JSON.stringify({ wallet, bought, dear, lost, again }));
  shop.close();
}

try {
  await play();
} finally {
  anvil.kill();
}
process.exit(0);
