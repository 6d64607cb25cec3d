/** What a caller asks of a chain is compared, or refused: never left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VerifyMandate, verifyMandateAt } from '../../../protocol/sdjwt/mandateVerification.ts';
import { AT, isSignedNatively, PROVIDER, paymentChain, RANGE } from './chains.ts';
import { delegated, ISSUER } from './intents.ts';

test('something that is expected of a hop that is not there is a fault with its place', () => {
  const verify = (asked: object, hops: readonly object[]) =>
    verifyMandateAt(VerifyMandate.parse({ ...asked, at: AT, hops }), 0, isSignedNatively);
  const chain = { token: paymentChain([RANGE]), trustedJwk: PROVIDER.jwk };
  assert.equal(verify(chain, [{}, {}, {}]).hops.length, 2);
  assert.throws(() => verify(chain, [{}, {}, { nonce: 'n' }]), /hops\.2 is of a hop that is not there/);
  const { l1, l2, l3Payment } = delegated();
  const intent = { profile: 'vi', l1, l2, l3Payment, trustedJwk: ISSUER.jwk };
  assert.throws(() => verify(intent, [{}, {}, {}, { aud: 'shop' }]), /hops\.3 is of a hop that is not there/);
});
