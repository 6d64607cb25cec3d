/** Passkeys: the messages of WebAuthn ceremonies (W3C Web Authentication Level 3, JSON form), and passkey records. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { HpProof } from './presence.ts';
import { PageRequest } from './wire/page.ts';
import { visibleName } from './wire/plainText.ts';

const Base64url = z.string().regex(/^[\w-]+$/, 'must be base64url');
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const Envelope = z.object({ id: Base64url.max(1400), rawId: Base64url.max(1400), type: z.literal('public-key') });

/** The result of navigator.credentials.create(). */
export const RegistrationCredential = Envelope.extend({
  response: z.object({
    clientDataJSON: Base64url,
    attestationObject: Base64url,
    transports: z.array(z.string()).optional(),
  }),
});
export type RegistrationCredential = z.infer<typeof RegistrationCredential>;

/** The result of navigator.credentials.get(). */
export const AssertionCredential = Envelope.extend({
  response: z.object({
    clientDataJSON: Base64url,
    authenticatorData: Base64url,
    signature: Base64url,
    userHandle: z.string().nullish(),
  }),
});
export type AssertionCredential = z.infer<typeof AssertionCredential>;

export const DeviceName = visibleName(60);

/** Whose passkey it is to be. */
const HolderDid = {
  agentDid: Did.optional().describe(
    'The agent whose purchases it approves, unless the person or company whose money is spent is registered.',
  ),
  principalDid: Did.optional().describe(
    'Whose money it is: the person or company whose purchases it approves, which is registered from then on.',
  ),
};

function namesOne({ agentDid, principalDid }: { agentDid?: string | undefined; principalDid?: string | undefined }) {
  return (agentDid === undefined) !== (principalDid === undefined);
}

const ONE_HOLDER = 'must name either agentDid or principalDid';

export const BeginRegistration = z.strictObject({ ...HolderDid, deviceName: DeviceName }).refine(namesOne, ONE_HOLDER);
export type BeginRegistration = z.output<typeof BeginRegistration>;

export const RegistrationOptions = z.object({
  publicKey: z
    .looseObject({
      challenge: z.string(),
      rp: z.object({ name: z.string(), id: z.string() }),
      user: z.looseObject({ id: z.string(), name: z.string() }),
      pubKeyCredParams: z.array(z.object({ type: z.string(), alg: z.int() })),
      authenticatorSelection: z.looseObject({ userVerification: z.string() }),
    })
    .describe('Options for navigator.credentials.create(), in WebAuthn’s JSON form.'),
});
export type RegistrationOptions = z.infer<typeof RegistrationOptions>;

export const CompleteRegistration = z
  .strictObject({ ...HolderDid, credential: RegistrationCredential })
  .refine(namesOne, ONE_HOLDER);
export type CompleteRegistration = z.output<typeof CompleteRegistration>;

/** Who made the link that a passkey came by, or enrolled it without one. */
export const PasskeyMaker = z
  .object({ kind: z.enum(['key', 'node', 'user']), id: z.string() })
  .describe('Who made the link that it came by, or enrolled it; node: a command on the data folder.');

export const Passkey = z.object({
  id: z.string(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  credentialId: z.string(),
  deviceName: z.string(),
  synced: z.boolean().describe('Whether the passkey’s provider keeps a copy and may have it on other devices.'),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  madeBy: PasskeyMaker.optional(),
  userId: z
    .string()
    .optional()
    .describe('The user who enrolled it, signed in: its touch is theirs. Absent where it is the passkey holder’s.'),
});
export type Passkey = z.infer<typeof Passkey>;

export const ListPasskeys = PageRequest.extend({
  agentDid: Did.optional(),
  principalDid: Did.optional(),
}).refine(
  ({ agentDid, principalDid }) => agentDid === undefined || principalDid === undefined,
  'must not name both agentDid and principalDid',
);
export type ListPasskeys = z.output<typeof ListPasskeys>;

export const BeginPresence = z.object({
  agentDid: Did,
  mandateId: z.string().max(100).optional(),
  cartHash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits')
    .optional(),
});
export type BeginPresence = z.output<typeof BeginPresence>;

export const PresenceOptions = z.object({
  challengeId: z.string(),
  publicKey: z
    .looseObject({
      challenge: z.string(),
      rpId: z.string(),
      allowCredentials: z.array(z.looseObject({ id: z.string(), type: z.string() })),
      userVerification: z.string(),
    })
    .describe('Options for navigator.credentials.get(), in WebAuthn’s JSON form.'),
});
export type PresenceOptions = z.infer<typeof PresenceOptions>;

export const CompletePresence = z.object({ challengeId: z.string().max(100), credential: AssertionCredential });
export type CompletePresence = z.output<typeof CompletePresence>;

export const PresenceResult = z.object({ verified: z.literal(true), hpProof: HpProof });
export type PresenceResult = z.infer<typeof PresenceResult>;

export const CreateEnrollment = z
  .strictObject({
    ...HolderDid,
    deviceName: DeviceName.optional().describe('A name for the passkey; the person may choose another.'),
    ttlSeconds: z.int().min(60).max(86_400).default(900).describe('How long the link works.'),
  })
  .refine(namesOne, ONE_HOLDER);
export type CreateEnrollment = z.output<typeof CreateEnrollment>;

export const Enrollment = z.object({
  id: z.string(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  url: z
    .string()
    .describe('Opens the page that enrolls a passkey, once. It is shown this once; treat it as a password.'),
  expiresAt: z.string(),
});
export type Enrollment = z.infer<typeof Enrollment>;

export function isTransport(text: string): text is Transport {
  return TRANSPORTS.some((transport) => transport === text);
}

/** What the page behind an enrollment link shows. */
export const EnrollmentView = z.object({
  agent: z.string().optional(),
  principal: z.string().optional(),
  delegated: z
    .boolean()
    .describe(
      'Whether a registered person or company has this agent spend its money, or any agent where the passkey is for the money.',
    ),
  deviceName: z.string().optional(),
  expiresAt: z.string(),
});
export type EnrollmentView = z.infer<typeof EnrollmentView>;
