/** Examples: who may sign mandates of AP2 v0.2. */
import { AGENT, AT, UNTIL } from './story/story.ts';

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: 'agent-provider-1',
} as const;

const issuer = {
  id: 'mis_01m7yh6hq1pf97dghp6dcxjktq',
  name: 'Shopping agent',
  kind: 'agent-provider',
  jwk,
  createdAt: AT,
} as const;

export const mandateIssuerExamples = {
  addMandateIssuer: { input: { name: issuer.name, kind: issuer.kind, jwk }, output: issuer },
  listMandateIssuers: { input: { limit: 20 }, output: { data: [issuer], hasMore: false, cursor: null } },
  createMandateChallenge: {
    input: { agentDid: AGENT },
    output: {
      nonce: 'mnc_tB1mC7oFEXAMPLEnonceofthenode0123456789abcdef',
      aud: 'http://localhost:8402',
      expiresAt: UNTIL,
    },
  },
  removeMandateIssuer: { input: { id: issuer.id } },
} as const;
