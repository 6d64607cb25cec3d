/** Every extension there is. The setting EXTENSIONS says which of them a node runs with; what two of them have is the first one's. */
import { acp } from './acp/acp.ts';
import { backups } from './backups/backups.ts';
import type { Extension } from './extension.ts';
import { external } from './external/external.ts';
import { guard } from './guard/guard.ts';
import { httpSignatures } from './http-signatures/httpSignatures.ts';
import { mandates } from './mandates/mandates.ts';
import { mcp } from './mcp/mcp.ts';
import { mpp } from './mpp/mpp.ts';
import { notices } from './notices/notices.ts';
import { playground } from './playground/playground.ts';
import { sandbox } from './sandbox-rail/sandbox.ts';
import { standardA2a } from './standard-a2a/standardA2a.ts';
import { stripe } from './stripe/stripe.ts';
import { telemetry } from './telemetry/telemetry.ts';
import { witness } from './witness/witness.ts';
import { x402 } from './x402/x402.ts';

export const extensions = [
  stripe, // An account behind the card rail comes before the one without money.
  sandbox,
  telemetry,
  standardA2a,
  mcp,
  mandates,
  mpp,
  acp,
  x402,
  external,
  httpSignatures,
  notices,
  playground,
  witness,
  guard,
  backups,
] as const satisfies readonly Extension[];
