/** Examples: a chain of two mandates of AP2 v0.2 that holds, and one that is over what the person allowed. */

const trustedJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: '1d3_ruSV4g8TAmyVnX7Sq0jhQ0xCKfTfEexBBgQ56Q4',
  y: 'Yr4s5s9VAXl0px-tHKxbLdIO1eFQ9TpVdpm4AJ-bLYA',
  kid: 'surface-1',
} as const;
const AT = 1795247261;

const asked = (token: string) => ({
  token,
  trustedJwk,
  aud: 'credential-provider',
  nonce: 'n-5f1c9',
  checkoutJwtHash: 'cwhAqviI9qTgXnKNwwZc7FPG0RrtLbuo4p6I1wdW1zc',
  at: AT,
});

const WITHIN =
  'eyJhbGciOiJFUzI1NiIsInR5cCI6ImV4YW1wbGUrc2Qtand0Iiwia2lkIjoic3VyZmFjZS0xIn0.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbeyIuLi4iOiJueS1wVUZsel9xZlRnRDhuR2RfSnRSaEtaZ2NKYVlhcHlfTXFUZ29CeElZIn1dLCJfc2RfYWxnIjoic2hhLTI1NiJ9.tT_zGJ5y2O0WvIbGF-nkFiI9rx4MoIdAe5RDj53ZR9Y4G3ph486UTtNH7iAtfV8hwSktDTqbkAbjQm3VN30zMg~WyJGQTJEekhQNlo2Ung2SjhJc0p5NGJRIix7ImlkIjoic2hvcCIsIm5hbWUiOiJEZW1vIHNob3AiLCJ3ZWJzaXRlIjoiaHR0cHM6Ly9zaG9wLmV4YW1wbGUifV0~WyI5MGM1cnBzX3IwdEl2NDFfb0NrWnVnIix7InZjdCI6Im1hbmRhdGUucGF5bWVudC5vcGVuLjEiLCJjb25zdHJhaW50cyI6W3sidHlwZSI6InBheW1lbnQuYW1vdW50X3JhbmdlIiwiY3VycmVuY3kiOiJVU0QiLCJtYXgiOjIwMDAwfSx7InR5cGUiOiJwYXltZW50LmFsbG93ZWRfcGF5ZWVzIiwiYWxsb3dlZCI6W3siLi4uIjoiX1l6ZXNuY1FrTU9fUWF3TTNTUmNFZWF2Wk9NRFVsUF9iR0dvSWZkOUFqTSJ9LHsiLi4uIjoiWXV2UFk1U2xtVlBTNFR6VHFNYnpLQ1N4cHpyeEdjRldSU0s0cTgzVlBtVSJ9XX1dLCJjbmYiOnsiandrIjp7Imt0eSI6IkVDIiwiY3J2IjoiUC0yNTYiLCJ4IjoicDFYdThvRzNYSG5LZXg4WlVramNDeTVlNzFCTkhPSUFDQlhob01adHR3ayIsInkiOiI1QmgzRTZ6N3dXUWdrMFVwcGp6T196TU1TVEZEcGgwbjlzMERQZzA1d05VIiwia2lkIjoiYWdlbnQtMSJ9fSwiaWF0IjoxNzk1MjQzNjYxLCJleHAiOjE3OTUzMzM2NjF9XQ~~eyJhbGciOiJFUzI1NiIsInR5cCI6ImtiK3NkLWp3dCIsImtpZCI6ImFnZW50LTEifQ.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbeyIuLi4iOiJjbWo1V2tqNWVZMkw5WW12bFBaQ2ZMQW9TeWlOWTlQMHFHOHdVRE84N3RjIn1dLCJpYXQiOjE3OTUyNDcyNjEsImF1ZCI6ImNyZWRlbnRpYWwtcHJvdmlkZXIiLCJub25jZSI6Im4tNWYxYzkiLCJzZF9oYXNoIjoiTlVQZjNYenl3UnFabjREQlZOV0NPVHdVY2l6aG95MGFLYzA1NVNQUzluWSIsIl9zZF9hbGciOiJzaGEtMjU2In0.hBw1wnV-zfhx2uH9PU8uJ72fLW8tfT9gBOXjgGeJR4DQri8WzwBrgd9jNBC2cqXG8rnz-73PX3c2c5m9BjT-Xw~WyJnY1QzdXZOTGF5aHh6c0szVnZDUUlRIix7InZjdCI6Im1hbmRhdGUucGF5bWVudC4xIiwidHJhbnNhY3Rpb25faWQiOiJjd2hBcXZpSTlxVGdYbktOd3daYzdGUEcwUnJ0TGJ1bzRwNkkxd2RXMXpjIiwicGF5ZWUiOnsiaWQiOiJzaG9wIiwibmFtZSI6IkRlbW8gc2hvcCIsIndlYnNpdGUiOiJodHRwczovL3Nob3AuZXhhbXBsZSJ9LCJwYXltZW50X2Ftb3VudCI6eyJhbW91bnQiOjQyMDAsImN1cnJlbmN5IjoiVVNEIn0sInBheW1lbnRfaW5zdHJ1bWVudCI6eyJpZCI6ImNhcmQtMSIsInR5cGUiOiJjYXJkIiwiZGVzY3JpcHRpb24iOiJDYXJkIMK3wrfCt8K3NDI0MiJ9fV0~';
const OVER =
  'eyJhbGciOiJFUzI1NiIsInR5cCI6ImV4YW1wbGUrc2Qtand0Iiwia2lkIjoic3VyZmFjZS0xIn0.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbeyIuLi4iOiJueS1wVUZsel9xZlRnRDhuR2RfSnRSaEtaZ2NKYVlhcHlfTXFUZ29CeElZIn1dLCJfc2RfYWxnIjoic2hhLTI1NiJ9.tT_zGJ5y2O0WvIbGF-nkFiI9rx4MoIdAe5RDj53ZR9Y4G3ph486UTtNH7iAtfV8hwSktDTqbkAbjQm3VN30zMg~WyJGQTJEekhQNlo2Ung2SjhJc0p5NGJRIix7ImlkIjoic2hvcCIsIm5hbWUiOiJEZW1vIHNob3AiLCJ3ZWJzaXRlIjoiaHR0cHM6Ly9zaG9wLmV4YW1wbGUifV0~WyI5MGM1cnBzX3IwdEl2NDFfb0NrWnVnIix7InZjdCI6Im1hbmRhdGUucGF5bWVudC5vcGVuLjEiLCJjb25zdHJhaW50cyI6W3sidHlwZSI6InBheW1lbnQuYW1vdW50X3JhbmdlIiwiY3VycmVuY3kiOiJVU0QiLCJtYXgiOjIwMDAwfSx7InR5cGUiOiJwYXltZW50LmFsbG93ZWRfcGF5ZWVzIiwiYWxsb3dlZCI6W3siLi4uIjoiX1l6ZXNuY1FrTU9fUWF3TTNTUmNFZWF2Wk9NRFVsUF9iR0dvSWZkOUFqTSJ9LHsiLi4uIjoiWXV2UFk1U2xtVlBTNFR6VHFNYnpLQ1N4cHpyeEdjRldSU0s0cTgzVlBtVSJ9XX1dLCJjbmYiOnsiandrIjp7Imt0eSI6IkVDIiwiY3J2IjoiUC0yNTYiLCJ4IjoicDFYdThvRzNYSG5LZXg4WlVramNDeTVlNzFCTkhPSUFDQlhob01adHR3ayIsInkiOiI1QmgzRTZ6N3dXUWdrMFVwcGp6T196TU1TVEZEcGgwbjlzMERQZzA1d05VIiwia2lkIjoiYWdlbnQtMSJ9fSwiaWF0IjoxNzk1MjQzNjYxLCJleHAiOjE3OTUzMzM2NjF9XQ~~eyJhbGciOiJFUzI1NiIsInR5cCI6ImtiK3NkLWp3dCIsImtpZCI6ImFnZW50LTEifQ.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbeyIuLi4iOiJCQ3lDTWR4bGYyQ0htTW1uWGk4WmNSTUlKVXVmdlJWa0RoMDFwVnZETXQ0In1dLCJpYXQiOjE3OTUyNDcyNjEsImF1ZCI6ImNyZWRlbnRpYWwtcHJvdmlkZXIiLCJub25jZSI6Im4tNWYxYzkiLCJzZF9oYXNoIjoiTlVQZjNYenl3UnFabjREQlZOV0NPVHdVY2l6aG95MGFLYzA1NVNQUzluWSIsIl9zZF9hbGciOiJzaGEtMjU2In0.SchQikpoC6OSso7_FnaBGfrFTQsmREGgxkePQQHIINI0rj4RNZJQlrnPN3xGqUZHTAWupWW-uDnU2f8jdPoWbw~WyJOWGs4WDBiUDdiM2RmQkRDVjBnLXJ3Iix7InZjdCI6Im1hbmRhdGUucGF5bWVudC4xIiwidHJhbnNhY3Rpb25faWQiOiJjd2hBcXZpSTlxVGdYbktOd3daYzdGUEcwUnJ0TGJ1bzRwNkkxd2RXMXpjIiwicGF5ZWUiOnsiaWQiOiJzaG9wIiwibmFtZSI6IkRlbW8gc2hvcCIsIndlYnNpdGUiOiJodHRwczovL3Nob3AuZXhhbXBsZSJ9LCJwYXltZW50X2Ftb3VudCI6eyJhbW91bnQiOjQyMDAwLCJjdXJyZW5jeSI6IlVTRCJ9LCJwYXltZW50X2luc3RydW1lbnQiOnsiaWQiOiJjYXJkLTEiLCJ0eXBlIjoiY2FyZCIsImRlc2NyaXB0aW9uIjoiQ2FyZCDCt8K3wrfCtzQyNDIifX1d~';

const ROOT_HASH = 'XYGB-9PYKTPEFW5SdJ_mdwfhPhjiUA80c4gMJfvHK2Q';
const SHOP = { id: 'shop', name: 'Demo shop', website: 'https://shop.example' };

const CHECKS = ['header', 'signature', 'disclosures', 'binding', 'audience', 'time', 'mandate'] as const;
const checks = CHECKS.map((name) => ({ name, holds: true }));
/** The open mandate is made for no verifier. */
const checksOfOpen = checks.filter(({ name }) => name !== 'audience');
const notCompared = ['hops', 'openCheckoutHash', 'merchantJwk'];
const hops = [
  {
    typ: 'example+sd-jwt',
    kid: 'surface-1',
    vct: 'mandate.payment.open.1',
    disclosed: 2,
    hidden: 1,
    checks: checksOfOpen,
  },
  {
    typ: 'kb+sd-jwt',
    kid: 'agent-1',
    vct: 'mandate.payment.1',
    binding: 'sd_hash' as const,
    aud: 'credential-provider',
    disclosed: 1,
    hidden: 0,
    checks,
  },
];

/** What both chains say: the closed mandates differ in their amount alone. */
const content = (amount: number, leafJwtHash: string, leafSdHash: string) => ({
  kind: 'payment' as const,
  rootJwtHash: ROOT_HASH,
  leafJwtHash,
  leafSdHash,
  openHash: 'NUPf3XzywRqZn4DBVNWCOTwUcizhoy0aKc055SPS9nY',
  transactionId: 'cwhAqviI9qTgXnKNwwZc7FPG0RrtLbuo4p6I1wdW1zc',
  content: {
    vct: 'mandate.payment.1',
    transaction_id: 'cwhAqviI9qTgXnKNwwZc7FPG0RrtLbuo4p6I1wdW1zc',
    payee: SHOP,
    payment_amount: { amount, currency: 'USD' },
    payment_instrument: { id: 'card-1', type: 'card', description: 'Card ····4242' },
  },
  open: [
    {
      hop: 0,
      constraints: [
        { type: 'payment.amount_range', currency: 'USD', max: 20000 },
        { type: 'payment.allowed_payees', allowed: [SHOP] },
      ],
    },
  ],
  limits: [{ hop: 0, jwtHash: ROOT_HASH, isSingleUse: true }],
});

const WITHIN_HASHES = [
  'hOxD5ii_Qm3LMhFwB8V_GdIWbVY5bVIYBeka6GLpIdM',
  'LCQcTxIQAn7aqVhQXPgzrYmVgM63G0A_RC_g2xCa8tw',
] as const;
const OVER_HASHES = [
  '8MN2DkI97mydNKZzHLnSm8DS7jZCWpJ4_bp4a56Pbvc',
  'u902owKH4RYgDYmCqppEtH3AGhICQLbs-xmMmFe2S88',
] as const;
const TOO_MUCH = '420.00 USD is more than 200.00 USD, the most that is allowed.';

export const chainExamples = {
  verifyMandate: {
    input: asked(WITHIN),
    output: { valid: true, hops, violations: [], notCompared, ...content(4200, ...WITHIN_HASHES) },
    refused: {
      input: asked(OVER),
      output: {
        valid: false,
        reason: TOO_MUCH,
        hops,
        violations: [
          {
            code: 'AMOUNT_OVER_CAP' as const,
            detail: TOO_MUCH,
            clause: 'AP2 v0.2, Payment Mandate: Amount Range',
            hop: 0,
          },
        ],
        notCompared,
        ...content(42000, ...OVER_HASHES),
      },
    },
  },
};
