/** The purchase that the examples tell, in its constants: who takes part, and the credentials they exchange. */

export const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
export const PRINCIPAL = 'did:key:z6Mko9hTggMwjSTEaJaPUfE6tqcy2xvU6BnNq3e3o8qVBiyH';
export const SHOP = 'did:key:z6MkvRXNYcE7MMduynWTgeKbDaT1iijDSC8pZqXZc8rHPrf2';
export const ISSUER = 'did:key:z6MkrPt1kKygujL4KEvfLr98YHLsx1z6ssF8Ry3X81tZ5XtX';
export const TENANT = 'tnt_01m7yh6hk5papaakg9s21tkakn';
export const SESSION = 'trip-to-the-shop';

export const INTENT = 'intent_01m7yh6hratazm92fgcpkykyyx';
export const TRANSACTION = 'txn_01m7yh6hra08ajnbg96rca4baf';
export const PAYMENT = 'pm_01m7yh6ht8fg22q8v49h1mnxfz';
export const AT = '2026-11-21T07:47:41.449Z';

export const intentVc = {
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
  id: 'urn:uuid:intent_01m7yh6hratazm92fgcpkykyyx',
  type: ['VerifiableCredential', 'IntentMandate'],
  issuer: ISSUER,
  issuanceDate: '2026-11-21T07:47:41.449Z',
  expirationDate: '2026-11-21T08:47:41.449Z',
  credentialSubject: {
    mandateId: 'intent_01m7yh6hratazm92fgcpkykyyx',
    agentDid: AGENT,
    principalDid: PRINCIPAL,
    maxAmount: 150,
    currency: 'USD',
    merchantDomain: 'shop.example',
  },
  proof: {
    type: 'Ed25519Signature2020',
    created: '2026-11-21T07:47:41.449Z',
    verificationMethod: `${ISSUER}#${ISSUER.slice(8)}`,
    proofPurpose: 'assertionMethod',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..dwQvFlhRIeyaQrqvvniOi1I3IL-9CrLiqgkP5Hn7Q8H8hpVcCWiksxInzL9ZsJOuyZUxZZa2JQXpssQfgEfICg',
  },
};

export const cartVc = {
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
  id: 'urn:uuid:cart_01m7yh6hrz1bpbfg5n4qvdfmeh',
  type: ['VerifiableCredential', 'CartMandate'],
  issuer: 'did:key:z6MkkH8TffAuqJLU5f5ZTUAngJsBTm2CUuPjW4P44xTwJDEs',
  issuanceDate: '2026-11-21T07:47:41.471Z',
  expirationDate: '2026-11-21T08:02:41.471Z',
  credentialSubject: {
    merchant: 'shop.example',
    payer: PRINCIPAL,
    items: [
      {
        name: 'Headphones',
        price: 119.5,
        quantity: 1,
      },
      {
        name: 'Shipping',
        price: 10,
        quantity: 1,
      },
    ],
    total: 129.5,
    currency: 'USD',
  },
  proof: {
    type: 'Ed25519Signature2020',
    created: '2026-11-21T07:47:41.471Z',
    verificationMethod:
      'did:key:z6MkkH8TffAuqJLU5f5ZTUAngJsBTm2CUuPjW4P44xTwJDEs#z6MkkH8TffAuqJLU5f5ZTUAngJsBTm2CUuPjW4P44xTwJDEs',
    proofPurpose: 'assertionMethod',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..iwgcytAtLKDdpaFtHv1lODuZqq95Y6b6kXj5e0tOEHVVANg_4FtCRObeKN-CYOlIfelSc6rZrlPkScKM-Q5DBw',
  },
};

export const hpProof = {
  type: 'HumanPresenceProof',
  id: 'hp_01m7yh6hs6va3h8zdggxsxp6vn',
  issuer: 'did:key:z6MkjBnEpLt9PrmuuUqB6Sp7ha2jdo8qTwpnduqQELaW8NdH',
  agentDid: AGENT,
  credentialId: 'demo',
  verifiedAt: '2026-11-21T07:47:41.478Z',
  expiresAt: '2026-11-21T07:52:41.478Z',
  proof: {
    type: 'Ed25519Signature2020',
    created: '2026-11-21T07:47:41.478Z',
    verificationMethod:
      'did:key:z6MkjBnEpLt9PrmuuUqB6Sp7ha2jdo8qTwpnduqQELaW8NdH#z6MkjBnEpLt9PrmuuUqB6Sp7ha2jdo8qTwpnduqQELaW8NdH',
    proofPurpose: 'assertionMethod',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..7t4D-rdAtck0qFyM8eSAlIyTXlMzCEgj6dUwNCtPHsURxL9UwRMtiHmewHF6uaPskWIHSVBkq3Yg-bqsbnTXAw',
  },
};

export const pmVc = {
  '@context': ['https://www.w3.org/2018/credentials/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
  id: 'urn:uuid:pm_01m7yh6ht8fg22q8v49h1mnxfz',
  type: ['VerifiableCredential', 'PaymentMandate'],
  issuer: ISSUER,
  issuanceDate: '2026-11-21T07:47:41.507Z',
  credentialSubject: {
    mandateId: 'pm_01m7yh6ht8fg22q8v49h1mnxfz',
    intentId: 'intent_01m7yh6hratazm92fgcpkykyyx',
    amount: 129.5,
    currency: 'USD',
    merchant: 'shop.example',
    rail: 'CARD_RAIL',
    cartHash: 'sha256:931a7e932fb76a63bd47d90cad596a535aca760b7e1b1e1bc5113250a2a51f05',
  },
  proof: {
    type: 'Ed25519Signature2020',
    created: '2026-11-21T07:47:41.507Z',
    verificationMethod: `${ISSUER}#${ISSUER.slice(8)}`,
    proofPurpose: 'assertionMethod',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..OUK3znxFDfEJZw277DRbACk19WAoN0tQfQ5LZgSzrjOaGffepWf2E763RyCmW8kXf_RHNRu2M5UIdjOM3YzTAw',
  },
};

/** Some time later. */
export const UNTIL = '2026-11-21T08:02:41.495Z';
