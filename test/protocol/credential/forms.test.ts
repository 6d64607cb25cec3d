/** Mandates as documents and tokens that other libraries verify: the worked examples, and every alteration of them refused. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import bs58 from 'bs58';
import { decodeJwt } from 'jose';
import { gunzip } from '../../../client/gunzip.ts';
import { MANDATES_CONTEXT } from '../../../client/index.ts';
import { checkForms } from '../../../protocol/credential/checkForms.ts';
import { checkIntegrity, secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { fromHex } from '../../../protocol/credential/encodings.ts';
import {
  bitstringOf,
  checkStatus,
  STATUS_PLACES,
  statusListDocument,
} from '../../../protocol/credential/statusList.ts';
import { secureAsJwt } from '../../../protocol/credential/vcJwt.ts';
import type { Loose } from '../../support/world.ts';

const vectors: Loose = JSON.parse(readFileSync('test/protocol/credential/mandateForms.json', 'utf8'));
const NOW = Date.parse('2026-11-26T12:00:00Z');
const issuer = suite.signer(fromHex(vectors.key.seed) as Uint8Array);

const isTaken = (credential: unknown, now: number) => {
  const check = checkForms(suite, credential, { type: 'PaymentMandate', now });
  return check.ok && !check.expired && check.issuer === vectors.key.did;
};

describe('a mandate as a document', () => {
  test('is secured byte for byte as the example', () => {
    const { document, secured } = vectors.workedExample;
    assert.deepEqual(secureDocument(suite, issuer, document, document.validFrom), secured);
  });
  for (const { name, expect, credential, at } of vectors.dataIntegrity) {
    test(`${name}: ${expect}`, () => {
      assert.equal(isTaken(credential, at === undefined ? NOW : Date.parse(at)), expect === 'valid');
    });
  }
});

test('the example of the standard for eddsa-jcs-2022 is secured bit for bit, and verified', () => {
  // W3C vc-di-eddsa, appendix B.2; the key's multibase has two bytes of a header before the seed.
  const seed = bs58.decode('3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq').subarray(2);
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
    id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
    type: ['VerifiableCredential', 'AlumniCredential'],
    name: 'Alumni Credential',
    description: 'A minimum viable example of an Alumni Credential.',
    issuer: 'https://vc.example/issuers/5678',
    validFrom: '2023-01-01T00:00:00Z',
    credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
  };
  const signer = suite.signer(seed);
  const secured = secureDocument(suite, signer, document, '2023-02-24T23:36:38Z');
  assert.equal(
    secured.proof.proofValue,
    'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
  );
  assert.equal(checkIntegrity(suite, secured, signer.did).ok, true);
});

describe('a mandate and its status list', () => {
  // The lists of the examples hold for years.
  const maxAgeSeconds = 10 * 366 * 24 * 3600;
  const judged = (credential: Loose, statusList: unknown) => {
    const check = checkForms(suite, credential, { type: 'PaymentMandate', now: NOW });
    if (!check.ok) return 'refused';
    const expected = { issuer: check.issuer, now: NOW, maxAgeSeconds, gunzip };
    const status = checkStatus(suite, check.status, statusList, expected);
    if (!status.ok) return 'refused';
    return status.revoked ? 'revoked' : 'valid';
  };
  for (const { name, expect, credential, statusList } of vectors.status) {
    test(`${name}: ${expect}`, () => assert.equal(judged(credential, statusList), expect));
  }

  const [{ credential, statusList: good }] = vectors.status;
  const listed = (changed: object) => {
    const { proof: _proof, ...document } = good;
    return secureDocument(suite, issuer, { ...document, ...changed }, good.validFrom);
  };
  test('holds by a list as a token, too', () => {
    const { proof: _proof, ...document } = good;
    assert.equal(judged(credential, secureAsJwt(issuer, document, undefined)), 'valid');
  });
  for (const [name, changed] of Object.entries({
    'another list of the issuer': { id: 'https://node.example/ap2/status/revocation/2' },
    'a list of the day before yesterday': { validFrom: '2009-01-01T00:00:00Z' },
    'a list of tomorrow': { validFrom: '2036-01-01T00:00:00Z' },
    'a list whose time is over': { validUntil: '2026-04-01T00:00:00Z' },
    'a list that is no gzip': {
      credentialSubject: { ...good.credentialSubject, encodedList: 'uAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    },
    'a list that is too short': {
      credentialSubject: {
        ...good.credentialSubject,
        encodedList: `u${gzipSync(new Uint8Array(64)).toString('base64url')}`,
      },
    },
    'a list that unfolds beyond all measure': {
      credentialSubject: {
        ...good.credentialSubject,
        encodedList: `u${gzipSync(new Uint8Array(4_000_000)).toString('base64url')}`,
      },
    },
  })) {
    test(`${name}: refused`, () => assert.equal(judged(credential, listed(changed)), 'refused'));
  }
  test('a list whose age nothing bounds: refused', () => {
    const expected = { issuer: vectors.key.did, now: NOW, maxAgeSeconds: Number.NaN, gunzip };
    assert.equal(checkStatus(suite, credential.credentialStatus, good, expected).ok, false);
  });
  test('a mandate without a place in a list: refused', () => {
    const { proof: _proof, credentialStatus: _status, ...document } = credential;
    assert.equal(judged(secureDocument(suite, issuer, document, document.validFrom), good), 'refused');
  });
  test('a list is dated five seconds back, as document and as token, and ends a day after it was made', () => {
    const document = statusListDocument('https://node.example/ap2/status/1', issuer.did, new Uint8Array(1), NOW);
    const { nbf, exp } = decodeJwt(secureAsJwt(issuer, document, undefined));
    assert.deepEqual([document.validFrom, nbf], ['2026-11-26T11:59:55.000Z', NOW / 1000 - 5]);
    assert.deepEqual([document.validUntil, exp], ['2026-11-27T12:00:00.000Z', NOW / 1000 + 86_400]);
  });
  test('the first place is the highest bit of the first byte', () => {
    const words = [
      { word: 0, bits: 2 ** 31 + 2 ** 22 },
      { word: STATUS_PLACES / 32 - 1, bits: 1 },
    ];
    const bits = bitstringOf(words);
    assert.deepEqual([bits[0], bits[1], bits.at(-1), bits.length], [0x80, 0x40, 0x01, 16_384]);
  });
});

describe('a mandate as a token', () => {
  test('is secured byte for byte as the example', () => {
    const { document } = vectors.workedExample;
    assert.equal(secureAsJwt(issuer, document, document.credentialSubject.agentDid), vectors.jwt[0].jwt);
  });
  for (const { name, expect, jwt } of vectors.jwt) {
    test(`${name}: ${expect}`, () => assert.equal(isTaken(jwt, NOW), expect === 'valid'));
  }

  test('says in its claims what its document says, or is refused', () => {
    const { document } = vectors.workedExample;
    const { agentDid } = document.credentialSubject;
    const token = (changed: object, subject = agentDid) => secureAsJwt(issuer, { ...document, ...changed }, subject);
    assert.ok(isTaken(token({}), NOW));
    assert.ok(!isTaken(token({}, vectors.key.did), NOW), 'another subject');
    assert.ok(
      !isTaken(token({ iss: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' }), NOW),
      'another issuer',
    );
    assert.ok(!isTaken(token({ exp: 1 }), NOW), 'another end');
    assert.ok(!isTaken(token({ jti: 'urn:uuid:pm_other' }), NOW), 'another id');
    assert.ok(!isTaken(token({ type: ['VerifiableCredential', 'IntentMandate'] }), NOW), 'another type');
  });
});

test('the context names each member once and for all, and the client has it', () => {
  assert.deepEqual(MANDATES_CONTEXT, vectors.context.document);
});
