/** What an x402 resource asks, which offer is paid, and why the others are not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { exactAmount, minorUnitsOf } from '../../../protocol/x402/atomicAmount.ts';
import { checksumAddress, readAddress } from '../../../protocol/x402/evmAddress.ts';
import { headerText, readPaymentRequired } from '../../../protocol/x402/paymentRequired.ts';
import { chooseRequirement, type PaymentMeans } from '../../../protocol/x402/paymentRequirement.ts';
import { findAsset, type TokenAsset, USD_ASSETS } from '../../../protocol/x402/usdAssets.ts';
import { BASE, offer, required, requirement, SHOP, USDC } from './offers.ts';

function refusalOf(accepts: readonly object[], means: Partial<PaymentMeans> = {}) {
  const found = chooseRequirement(required(accepts), { networks: [BASE], ...means });
  return 'refused' in found ? found.refused : assert.fail('it can be paid');
}

describe('PAYMENT-REQUIRED', () => {
  const document = { x402Version: 2, error: 'é?>', resource: { url: 'https://a.example/' }, accepts: [offer()] };
  const text = headerText(document);
  test('is read from base64, padded or not, and from an object', () => {
    assert.match(text, /[+/]/);
    for (const received of [text, text.replace(/=+$/, ''), document]) {
      const read = readPaymentRequired(received);
      assert.deepEqual('required' in read && read.required, {
        resourceUrl: 'https://a.example/',
        accepts: [offer()],
        extensions: {},
      });
    }
  });
  const base64url = text.replaceAll('+', '-').replaceAll('/', '_');
  const cases: Readonly<Record<string, readonly [received: string | object, code: string, message: RegExp]>> = {
    base64url: [base64url, 'BAD_REQUEST', /base64url/],
    'no base64': ['{}', 'BAD_REQUEST', /no base64/],
    'a text that is too long': ['A'.repeat(65_537), 'BAD_REQUEST', /65536/],
    'no JSON': [btoa('x402'), 'BAD_REQUEST', /no JSON object/],
    'a member twice': [btoa('{"x402Version":2,"x402Version":2}'), 'BAD_REQUEST', /no JSON object/],
    'a list': [[], 'BAD_REQUEST', /no JSON object/],
    'version 1': [{ x402Version: 1, accepts: [offer()] }, 'RAIL_UNAVAILABLE', /^Version 1 of x402 is not paid/],
    'version 3': [{ x402Version: 3, accepts: [offer()] }, 'RAIL_UNAVAILABLE', /^Version 3/],
    'no version': [{ accepts: [offer()] }, 'BAD_REQUEST', /x402Version/],
    'no offers': [{ x402Version: 2, accepts: [] }, 'BAD_REQUEST', /accepts/],
    'an offer that is a text': [{ x402Version: 2, accepts: ['x'] }, 'BAD_REQUEST', /accepts/],
    'a resource that is a text': [{ ...document, resource: 'x' }, 'BAD_REQUEST', /resource/],
    'a url that is a number': [{ ...document, resource: { url: 1 } }, 'BAD_REQUEST', /url/],
    'extensions that are a list': [{ ...document, extensions: [] }, 'BAD_REQUEST', /extensions/],
  };
  for (const [name, [received, code, message]] of Object.entries(cases)) {
    test(`is refused for ${name}`, () => {
      const read = readPaymentRequired(received);
      const refused = 'refused' in read ? read.refused : assert.fail('read');
      assert.equal(refused.code, code);
      assert.match(refused.message, message);
    });
  }
});

test('an offer is read with its exact sum, and what counts against limits', () => {
  const { received, asset, ...terms } = requirement({ amount: '10001' });
  assert.deepEqual(received, offer({ amount: '10001' }));
  assert.equal(asset.symbol, 'USDC');
  assert.deepEqual(terms, {
    payTo: SHOP.toLowerCase(),
    amount: '10001',
    amountMinor: 2,
    exact: '0.010001',
    validSeconds: 60,
  });
});

test('the first that can be paid is chosen, or the one that the client has chosen', () => {
  const dear = offer({ amount: '20000' });
  const cheap = offer();
  const other = offer({ scheme: 'upto' });
  const choose = (accepted?: object) => {
    const found = chooseRequirement(required([other, dear, cheap]), { networks: [BASE], accepted });
    return 'requirement' in found ? found.requirement.amount : found.refused;
  };
  assert.equal(choose(), '20000');
  const { scheme, ...rest } = cheap;
  assert.equal(choose({ ...rest, scheme }), '10000');
  assert.deepEqual(choose({ ...cheap, amount: '1' }), {
    code: 'BAD_REQUEST',
    message: 'The offer cannot be paid: accepted is none of the offers (accepts).',
  });
  assert.match(String((choose(other) as { message: string }).message), /scheme exact/);
});

test('a signature is good for as long as the server asks, and 300 seconds at most', () => {
  assert.equal(requirement({ maxTimeoutSeconds: 10 }).validSeconds, 10);
  assert.equal(requirement({ maxTimeoutSeconds: 86_400 }).validSeconds, 300);
  assert.equal(requirement({ maxTimeoutSeconds: undefined }).validSeconds, 300);
});

test('addresses of one case are taken, and compared in lower case', () => {
  const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;
  assert.equal(requirement({ payTo: upper(SHOP), asset: USDC.toLowerCase() }).payTo, SHOP.toLowerCase());
  assert.equal(readAddress(upper(SHOP)), SHOP.toLowerCase());
  // EIP-55, test cases.
  for (const address of ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']) {
    assert.equal(checksumAddress(address.toLowerCase()), address);
    assert.equal(readAddress(address), address.toLowerCase());
    assert.equal(readAddress(address.replace('B', 'b')), undefined);
  }
  for (const wrong of [undefined, 5, '', SHOP.slice(2), `${SHOP}0`, `0X${SHOP.slice(2)}`, `${SHOP}\n`]) {
    assert.equal(readAddress(wrong), undefined);
  }
});

describe('an offer is refused', () => {
  const extra = (more: object) => ({ extra: { name: 'USD Coin', version: '2', ...more } });
  const cases: Readonly<Record<string, readonly [more: object, code: string, message: RegExp]>> = {
    'of another scheme': [{ scheme: 'upto' }, 'RAIL_UNAVAILABLE', /scheme exact is paid/],
    'on a chain without a wallet': [{ network: 'eip155:1' }, 'RAIL_UNAVAILABLE', /No wallet/],
    'on Solana': [{ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, 'RAIL_UNAVAILABLE', /No wallet/],
    'with a number as amount': [{ amount: 10_000 }, 'BAD_REQUEST', /text of digits/],
    'with decimals': [{ amount: '0.01' }, 'BAD_REQUEST', /text of digits/],
    'with a sign': [{ amount: '-1' }, 'BAD_REQUEST', /text of digits/],
    'with a leading zero': [{ amount: '010000' }, 'BAD_REQUEST', /text of digits/],
    'of nothing': [{ amount: '0' }, 'BAD_REQUEST', /below the smallest unit/],
    'of more than can be counted': [{ amount: '9'.repeat(30) }, 'BAD_REQUEST', /too much/],
    'with a payee whose checksum is wrong': [{ payTo: SHOP.replace('B', 'b') }, 'BAD_REQUEST', /payTo.*EIP-55/],
    'with a token whose checksum is wrong': [{ asset: USDC.replace('D', 'd') }, 'BAD_REQUEST', /asset.*EIP-55/],
    'without a payee': [{ payTo: undefined }, 'BAD_REQUEST', /payTo/],
    'of a token that is not known': [{ asset: SHOP }, 'RAIL_UNAVAILABLE', /not known/],
    'by Permit2': [extra({ assetTransferMethod: 'permit2' }), 'RAIL_UNAVAILABLE', /permit2/],
    'of another flow': [extra({ paymentFlow: 'escrow' }), 'RAIL_UNAVAILABLE', /escrow/],
    'with another name of the token': [
      extra({ name: 'USDC' }),
      'RAIL_UNAVAILABLE',
      /"USDC".*"USD Coin".*No wallet can pay/,
    ],
    'with a number as version': [extra({ version: 2 }), 'RAIL_UNAVAILABLE', /version 2; it is .* version "2"/],
    'without the name of the token': [{ extra: undefined }, 'RAIL_UNAVAILABLE', /No wallet can pay/],
    'with extra that is a list': [{ extra: [] }, 'BAD_REQUEST', /extra/],
    'that ends too soon': [{ maxTimeoutSeconds: 9 }, 'BAD_REQUEST', /at least 10/],
    'that ends at half a second': [{ maxTimeoutSeconds: 10.5 }, 'BAD_REQUEST', /whole number/],
    'that ends at a text': [{ maxTimeoutSeconds: '60' }, 'BAD_REQUEST', /whole number/],
  };
  for (const [name, [more, code, message]] of Object.entries(cases)) {
    test(name, () => {
      const refused = refusalOf([offer(more)]);
      assert.match(refused.message, message);
      assert.equal(refused.code, code);
    });
  }
  test('with all others, by name', () => {
    const { code, message } = refusalOf([offer({ scheme: 'upto' }), offer({ amount: '0' })]);
    assert.equal(code, 'RAIL_UNAVAILABLE');
    assert.match(message, /^Offered: upto of 0x8335.* on eip155:8453; exact of 0x8335.*scheme exact is paid/);
    assert.equal(refusalOf([offer({ amount: '0' }), offer({ amount: 5 })]).code, 'BAD_REQUEST');
  });
});

describe('the table of tokens', () => {
  test('has the 22 of @x402/evm 2.27.0, and USDC on OP Mainnet', () => {
    assert.equal(USD_ASSETS.length, 23);
    assert.equal(new Set(USD_ASSETS.map(({ network, address }) => network + address)).size, 23);
    const chains = (name: string) =>
      USD_ASSETS.filter((asset) => asset.name === name).map(({ network }) => network.slice(7));
    assert.deepEqual(chains('USD Coin'), ['1', '10', '137', '8453', '42161', '43114', '421614']);
    assert.deepEqual(chains('USDC'), ['50', '51', '143', '1328', '1329', '42220', '84532', '11142220']);
    assert.deepEqual(
      USD_ASSETS.filter(({ version }) => version !== '2').map(({ symbol }) => symbol),
      ['USDT0', 'USDT0', 'USDT0', 'USDT', 'USAT'],
    );
    for (const { address } of USD_ASSETS) assert.equal(readAddress(address), address);
  });
  test('is added to by a wallet', () => {
    const own: TokenAsset = { ...(USD_ASSETS[0] as TokenAsset), network: 'eip155:31337', address: SHOP.toLowerCase() };
    assert.equal(findAsset('eip155:31337', SHOP.toLowerCase()), undefined);
    assert.equal(findAsset('eip155:31337', SHOP.toLowerCase(), [own]), own);
    const means = { networks: ['eip155:31337'], assets: [own] };
    assert.equal(requirement({ network: 'eip155:31337', asset: SHOP }, means).asset, own);
  });
});

describe('sums', () => {
  const token = (decimals: number, currency = 'USD') => ({ ...(USD_ASSETS[0] as TokenAsset), decimals, currency });
  const cases: readonly (readonly [amount: string, asset: TokenAsset, minor: number | undefined, exact: string])[] = [
    ['5000000', token(6), 500, '5.00'],
    ['1000', token(6), 1, '0.001'],
    ['1', token(6), 1, '0.000001'],
    ['2009999', token(6), 201, '2.009999'],
    ['10000000000000000', token(18), 1, '0.01'],
    ['5', token(0), 500, '5.00'],
    ['1500000', token(6, 'JPY'), 2, '1.5'],
    ['2000000', token(6, 'JPY'), 2, '2'],
    ['9999999999999990000', token(6), 999_999_999_999_999, '9999999999999.99'],
    ['9999999999999990001', token(6), undefined, '9999999999999.990001'],
  ];
  for (const [amount, asset, minor, exact] of cases) {
    test(`${amount} of ${asset.decimals} decimals is ${exact} ${asset.currency}`, () => {
      assert.equal(minorUnitsOf(amount, asset), minor);
      assert.equal(exactAmount(amount, asset), exact);
    });
  }
  test('are rounded up by less than a unit, and never down', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 2, max: 18 }), (atomic, decimals) => {
        const minor = BigInt(minorUnitsOf(String(atomic), token(decimals)) ?? 10n ** 15n);
        const unit = 10n ** BigInt(decimals - 2);
        if (minor < 10n ** 15n) assert.ok(minor * unit >= atomic && (minor - 1n) * unit < atomic);
        const [whole, fraction = ''] = exactAmount(String(atomic), token(decimals)).split('.');
        assert.equal(BigInt(`${whole}${fraction.padEnd(decimals, '0')}`), atomic);
      }),
    );
  });
});
