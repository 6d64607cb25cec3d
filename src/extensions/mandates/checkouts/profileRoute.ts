/** The node's profile as a platform of the Universal Commerce Protocol, with the keys that its mandates verify with. */
import { PlatformProfile, PROFILE_PATH, platformProfile } from '../../../../protocol/ucp/profile.ts';
import { answerFixed, fixedText } from '../../../gates/rest/fixedText.ts';
import type { OpenRoute } from '../../../gates/rest/openRoute.ts';
import { everyOrigin } from '../../../gates/rest/respond.ts';
import type { NodeFacts } from '../../../gates/shell/gate.ts';

/** UCP asks for a minute at least. */
const FRESH_SECONDS = 300;

export function profileRoute({ keySet, requestKeys }: Pick<NodeFacts, 'keySet' | 'requestKeys'>): OpenRoute {
  const profile = platformProfile(keySet, requestKeys);
  const text = fixedText(JSON.stringify(profile));
  return {
    method: 'GET',
    path: PROFILE_PATH,
    name: 'platformProfile',
    summary: 'Shows the profile by which businesses of UCP know this node: what it speaks, and its keys.',
    answers: {
      200: { description: 'The profile.', schema: PlatformProfile, example: profile },
      304: { description: 'Unchanged since the entity tag that was sent.' },
    },
    errors: [429, 500],
    answer(context) {
      everyOrigin(context);
      answerFixed(context, text, 'application/json; charset=utf-8');
      context.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`);
    },
  };
}
