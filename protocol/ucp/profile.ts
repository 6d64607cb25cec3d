/**
 * Profiles of the Universal Commerce Protocol, which stand at `/.well-known/ucp`: the node's own as a platform, and the keys in
 * that of a business.
 */
import { z } from 'zod';

/** Where a profile is on its host. */
export const PROFILE_PATH = '/.well-known/ucp';

/** The versions that the node speaks, the newest first. */
const VERSIONS = ['2026-08-25', '2026-04-08'] as const;
/** The last version whose profiles name their keys `signing_keys`; later ones have the JWK Set member `keys` (RFC 7517). */
const LAST_WITH_SIGNING_KEYS = '2026-04-08';

const CHECKOUT = 'dev.ucp.shopping.checkout';
const AP2_MANDATE = 'dev.ucp.shopping.ap2_mandate';

const Capability = z.object({
  version: z.string(),
  spec: z.url(),
  schema: z.url(),
  extends: z.string().optional(),
  config: z.looseObject({}).optional(),
});

const ProfileKey = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string(),
  x: z.string(),
  y: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});

const RequestKey = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string(),
  x: z.string(),
  use: z.literal('sig'),
});

/** What a platform says of itself (UCP, Overview: Platform Profile). */
export const PlatformProfile = z.object({
  ucp: z.object({
    version: z.string(),
    services: z.record(z.string(), z.array(z.looseObject({}))),
    capabilities: z.record(z.string(), z.array(Capability)),
    payment_handlers: z.record(z.string(), z.array(z.looseObject({}))),
  }),
  keys: z
    .array(z.union([ProfileKey, RequestKey]))
    .describe('The keys that mandates verify with (P-256), and signed requests (Ed25519).'),
  signing_keys: z
    .array(ProfileKey)
    .describe(`Those for mandates alone, for readers of version ${LAST_WITH_SIGNING_KEYS}.`),
});
export type PlatformProfile = z.infer<typeof PlatformProfile>;

/**
 * @param keySet the node's JWK Set, of which the P-256 keys sign mandates
 * @param requestKeys by which the node signs HTTP requests
 */
export function platformProfile(
  keySet: { readonly keys: readonly object[] },
  requestKeys: readonly object[],
): PlatformProfile {
  const keys = keySet.keys.flatMap((key) => ProfileKey.safeParse(key).data ?? []);
  return {
    ucp: {
      version: VERSIONS[0],
      services: {},
      capabilities: {
        [CHECKOUT]: VERSIONS.map((version) => ({
          version,
          spec: `https://ucp.dev/${version}/specification/shopping/checkout`,
          schema: `https://ucp.dev/${version}/schemas/shopping/checkout.json`,
        })),
        [AP2_MANDATE]: VERSIONS.map((version) => ({
          version,
          spec: `https://ucp.dev/${version}/specification/ap2-mandates`,
          schema: `https://ucp.dev/${version}/schemas/shopping/ap2_mandate.json`,
          extends: CHECKOUT,
          config: { vp_formats_supported: { 'dc+sd-jwt': {} } },
        })),
      },
      payment_handlers: {},
    },
    keys: [...keys, ...requestKeys.map((key) => RequestKey.parse(key))],
    signing_keys: keys,
  };
}

/** The address of a business's profile. @param domain in its normal form */
export function profileOf(domain: string): string {
  return `https://${domain}${PROFILE_PATH}`;
}

const SomeKeys = z.array(z.unknown()).max(100);
const KeyHolder = z.looseObject({
  keys: SomeKeys.optional(),
  signing_keys: SomeKeys.optional(),
  ucp: z.looseObject({ version: z.string().optional() }).optional(),
});

/**
 * The keys of a JWK Set (RFC 7517), or of a profile: those in `keys`, and where it has none, of an old version those in
 * `signing_keys`.
 * @throws z.ZodError for a document of another form
 */
export function publishedKeys(document: unknown): readonly unknown[] {
  const { keys, signing_keys: former, ucp } = KeyHolder.parse(document);
  if (keys !== undefined) return keys;
  const isOld = ucp?.version !== undefined && ucp.version <= LAST_WITH_SIGNING_KEYS;
  return isOld ? (former ?? []) : [];
}
