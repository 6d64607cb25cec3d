/** The directory of the key that signs requests: verifiers find it at the address that Signature-Agent names. */
import {
  DIRECTORY_PATH,
  DIRECTORY_TYPE,
  KeyDirectory,
  signDirectory,
} from '../../../protocol/httpSignatures/keyDirectory.ts';
import { DATED_BACK_SECONDS } from '../../../protocol/httpSignatures/requestSignature.ts';
import type { Core } from '../../core/core.ts';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import { everyOrigin } from '../../gates/rest/respond.ts';
import type { Deps } from '../../usecase/deps.ts';
import { newNonce } from './newNonce.ts';
import { requestKey } from './requestKey.ts';

/** How long a verifier may keep it: a key that has changed is seen after that. */
const FRESH_SECONDS = 300;
/** For how long the signature holds. */
const HOLDS_SECONDS = 3600;

interface SignedDirectory {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of the core, since a gate has no key. */
export const directoryCalls = {
  showKeyDirectory(deps: Pick<Deps, 'clock' | 'newToken' | 'sealer' | 'settings' | 'suite'>): SignedDirectory {
    const { signer, jwk } = requestKey(deps);
    const directory: KeyDirectory = { keys: [jwk] };
    const created = Math.floor(deps.clock() / 1000) - DATED_BACK_SECONDS;
    const { baseUrl } = deps.settings;
    const terms = { baseUrl, keyid: jwk.kid, nonce: newNonce(deps), created, expires: created + HOLDS_SECONDS };
    return { text: JSON.stringify(directory), headers: signDirectory(signer, terms) };
  },
};

export function keyDirectoryRoute(core: Core): OpenRoute {
  const own = core as unknown as Core<typeof directoryCalls>;
  return {
    method: 'GET',
    path: DIRECTORY_PATH,
    name: 'requestKeyDirectory',
    summary: 'Shows the key that signs requests to merchants, signed for this host (RFC 9421).',
    answers: { 200: { description: 'The directory.', media: DIRECTORY_TYPE, schema: KeyDirectory } },
    errors: [429, 500],
    async answer(context) {
      everyOrigin(context);
      const { text, headers } = await own.call('showKeyDirectory');
      context.set(headers);
      context.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`);
      context.type = DIRECTORY_TYPE;
      context.body = text;
    },
  };
}
