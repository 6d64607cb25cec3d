/** How callers prove who they are, as OpenAPI says it. */

import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import type { UseCase } from '../../usecase/useCase.ts';

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ak_test_… or ak_live_…',
    description: 'An API key. Keys of one environment do not work in the other.',
  },
  login: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a person who logged in at /ap2/auth/login; good for 15 minutes.',
  },
  didProof: {
    type: 'apiKey',
    in: 'header',
    name: 'X-DID-Proof',
    description:
      'An agent vouches for one request with its own key: a compact JWS (RFC 7515) with the header ' +
      '`{typ: "did-proof+jwt", alg: "EdDSA", kid: "<DID>#<key>"}` and the claims `iss` (its DID), `aud` (the base ' +
      'address of this node), `htm` (method), `htu` (base address and path, without the query), `iat`, `jti` (used ' +
      'once), `bh` (base64url of the SHA-256 of the body). Good for 300 seconds. It may read and write what is its own.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'countersign_refresh',
    description:
      'The cookie that extends a login, for `POST /ap2/auth/refresh` alone. It serves once; each answer sets the next one. ' +
      'Where the node has an https address, its name begins with `__Host-`.',
  },
};

/** What each credential must be able to do, in words. */
const ABLE = {
  read: 'Needs the permission `read`.',
  write: 'Needs the permission `write`; an agent may act for itself.',
  admin: 'Needs the permission `admin`.',
  any: 'Needs a credential of any kind.',
  self: 'Needs a credential of any kind, also that of a person who waits for a role.',
} satisfies Record<UseCase['permission'], string>;

const READS_OWN = 'Needs the permission `read`; an agent sees what is its own.';

export function permissionText(useCase: UseCase): string {
  if (useCase.permission === 'read' && useCase.showsOwn === true) return READS_OWN;
  return ABLE[useCase.permission];
}

/** Which credentials a use case takes, one of them at a time. */
export function securityOf(useCase: UseCase): Record<string, string[]>[] {
  return [{ apiKey: [] }, { login: [] }, ...(takesDidProof(useCase) ? [{ didProof: [] }] : [])];
}

/** What a route without a use case takes; an empty object is nothing. */
export function openSecurityOf({ localOrAdmin, takesRefreshCookie }: OpenRoute): Record<string, string[]>[] {
  if (localOrAdmin === true) return [{}, { apiKey: [] }, { login: [] }];
  return takesRefreshCookie === true ? [{ refreshCookie: [] }] : [];
}

export function takesDidProof(useCase: UseCase): boolean {
  return useCase.showsOwn === true || ['write', 'any', 'self'].includes(useCase.permission);
}
