// Buys by a stock client, without a node: says how long a purchase takes, and what processor time, as JSON. Runs where the client's
// packages are. Arguments: mpp or x402, address of the shop, how many purchases are played before, and how many count.
const [kind, address, warmUp, count] = process.argv.slice(2);

async function stockFetch() {
  if (kind === 'mpp') {
    const { Mppx } = await import('mppx/client');
    const { charge } = await import('mppx/stripe/client');
    const method = charge({ createToken: async () => 'spt_of_the_bench', paymentMethod: 'pm_card_visa' });
    return Mppx.create({ methods: [method], polyfill: false }).fetch;
  }
  const { wrapFetchWithPayment, x402Client } = await import('@x402/fetch');
  const { ExactEvmScheme } = await import('@x402/evm/exact/client');
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts');
  const scheme = new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()));
  return wrapFetchWithPayment(fetch, new x402Client().setSpendControls(false).register('eip155:*', scheme));
}

async function buy(paying, number) {
  const answer = await paying(`${address}/${number}`);
  if (answer.status !== 200) throw new Error(`the shop answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

const paying = await stockFetch();
for (let number = 0; number < Number(warmUp); number += 1) await buy(paying, number);
const tookMs = [];
const before = process.cpuUsage();
for (let number = 0; number < Number(count); number += 1) {
  const started = performance.now();
  await buy(paying, number);
  tookMs.push(performance.now() - started);
}
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ tookMs, cpuMs: (user + system) / 1000 / Number(count) }));
process.exit(0);
