/**
 * The cards by which clients of the A2A standard find a node: v1.0's, in the JSON of its protocol buffers, and v0.3's. No
 * member of v1.0's is empty, so that it reads the same to those who leave default values out and to those who do not.
 */
import { z } from 'zod';
import { AgentCard, buildAgentCard, type CardFacts } from '../wire/agentCard.ts';
import { asciiTexts } from './asciiText.ts';
import { CardSignature } from './cardSignature.ts';
import { Extension, extensionsOf } from './extensionUris.ts';

/** Where JSON-RPC of either version is answered. */
export const STANDARD_PATH = '/a2a/v1';

const Text = z.string().min(1);
const Texts = z.array(Text).min(1);

const Skill = z.object({ id: Text, name: Text, description: Text, tags: Texts, examples: Texts });

/** What every card says alike, as the template has it. Read once in a process: to compile code for it takes longer. */
const Offer = z.object({ skills: z.array(Skill).min(1), defaultInputModes: Texts, defaultOutputModes: Texts });
const Template = Offer.extend({ name: Text, description: Text, provider: z.object({ name: Text }) });

const Interface = z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() });
const FormerInterface = z.object({ url: z.string(), transport: z.string() });

/** What of v0.3 the cards of v0.3 and of the node itself have: where the endpoint is, in either version's words. */
const Reachable = Offer.extend({
  protocolVersion: z.string(),
  preferredTransport: z.string(),
  additionalInterfaces: z.array(FormerInterface),
  supportedInterfaces: z.array(Interface),
});
type Reachable = z.infer<typeof Reachable>;

/** The node's own card, with the members by which clients of the A2A standard find the standard's endpoint. */
export const ReachableCard = AgentCard.extend(Reachable.shape);
export type ReachableCard = z.infer<typeof ReachableCard>;

const Named = Offer.extend({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  documentationUrl: z.string(),
  provider: z.object({ organization: z.string(), url: z.string() }),
});

export const StandardCard = Named.extend({
  supportedInterfaces: z.array(Interface),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extendedAgentCard: z.boolean(),
    extensions: z.array(Extension),
  }),
  securitySchemes: z.record(z.string(), z.looseObject({})),
  securityRequirements: z.array(z.object({ schemes: z.record(z.string(), z.object({ list: z.array(z.string()) })) })),
  signatures: z.array(CardSignature),
});
export type StandardCard = z.infer<typeof StandardCard>;

export const FormerCard = Named.extend(Reachable.shape).extend({
  url: z.string(),
  capabilities: z.object({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    stateTransitionHistory: z.boolean(),
    extensions: z.array(Extension),
  }),
  securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  supportsAuthenticatedExtendedCard: z.boolean(),
});
export type FormerCard = z.infer<typeof FormerCard>;

/**
 * For who names no version at the endpoint: the card of v1.0, with what v0.3 has beside it. Python's resolver names none, and
 * must find `capabilities` as an object and a signature; a client of v0.3 reads the same page by the members of its own.
 */
export const SharedCard = StandardCard.extend({
  url: z.string(),
  ...Reachable.pick({ protocolVersion: true, preferredTransport: true, additionalInterfaces: true }).shape,
  security: FormerCard.shape.security,
});
export type SharedCard = z.infer<typeof SharedCard>;

const BEARER = { scheme: 'Bearer', description: 'An API key (ak_...), or an access token of a login.' };
const DID_HEADER = {
  name: 'X-DID-Proof',
  description: 'A compact JWS of this request by the DID that calls (EdDSA), as the documentation describes it.',
};
/** What a caller may do, whichever of the two it brings. */
const PERMISSIONS = ['write'];

/** @param template agent-card.json */
export function reachableCard(template: object, facts: CardFacts): ReachableCard {
  return ReachableCard.parse(
    { ...buildAgentCard(template, facts), ...reachableAt(template, facts) },
    { jitless: true },
  );
}

/** The card of A2A v1.0, to be signed. @param template agent-card.json */
export function standardCard(template: object, facts: CardFacts): Omit<StandardCard, 'signatures'> {
  return {
    ...namedBy(template, facts),
    supportedInterfaces: interfacesAt(facts),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: false,
      extensions: extensionsOf(facts),
    },
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: BEARER },
      didProof: { apiKeySecurityScheme: { location: 'header', ...DID_HEADER } },
    },
    // Each alone is enough.
    securityRequirements: [
      { schemes: { bearer: { list: PERMISSIONS } } },
      { schemes: { didProof: { list: PERMISSIONS } } },
    ],
  };
}

/** The card of A2A v0.3. @param template agent-card.json */
export function formerCard(template: object, facts: CardFacts): FormerCard {
  return {
    ...namedBy(template, facts),
    ...reachableAt(template, facts),
    url: facts.baseUrl + STANDARD_PATH,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      stateTransitionHistory: false,
      extensions: extensionsOf(facts),
    },
    securitySchemes: {
      bearer: { type: 'http', ...BEARER },
      didProof: { type: 'apiKey', in: 'header', ...DID_HEADER },
    },
    // Lists of scopes belong to OAuth alone in OpenAPI 3.0, which v0.3 follows.
    security: [{ bearer: [] }, { didProof: [] }],
    supportsAuthenticatedExtendedCard: false,
  };
}

/**
 * The card of v1.0 for who may be a client of v0.3. What its signature covers is unchanged: readers of v1.0 drop the other
 * members before they check it.
 * @param standard signed
 */
export function sharedCard(standard: StandardCard, former: FormerCard): SharedCard {
  const { url, protocolVersion, preferredTransport, additionalInterfaces, security } = former;
  const schemes = Object.entries(standard.securitySchemes);
  return {
    ...standard,
    ...{ url, protocolVersion, preferredTransport, additionalInterfaces, security },
    securitySchemes: Object.fromEntries(
      schemes.map(([name, scheme]) => [name, { ...former.securitySchemes[name], ...scheme }]),
    ),
  };
}

/** What a card of v0.3 says of its endpoint; clients of v1.0 that find it there read its last member. */
function reachableAt(template: object, facts: Pick<CardFacts, 'baseUrl'>): Reachable {
  return {
    ...Offer.parse(asciiTexts(template), { jitless: true }),
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ transport: 'JSONRPC', url: facts.baseUrl + STANDARD_PATH }],
    supportedInterfaces: interfacesAt(facts),
  };
}

function namedBy(template: object, { baseUrl, version }: CardFacts): z.infer<typeof Named> {
  const { provider, ...rest } = Template.parse(asciiTexts(template), { jitless: true });
  const documentationUrl = `${baseUrl}/docs`;
  return { ...rest, version, documentationUrl, provider: { organization: provider.name, url: documentationUrl } };
}

/** The preferred one first. */
function interfacesAt({ baseUrl }: Pick<CardFacts, 'baseUrl'>): StandardCard['supportedInterfaces'] {
  return ['1.0', '0.3'].map((protocolVersion) => ({
    url: baseUrl + STANDARD_PATH,
    protocolBinding: 'JSONRPC',
    protocolVersion,
  }));
}
