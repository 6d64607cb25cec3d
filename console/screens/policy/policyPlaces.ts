/** The places of Policy, loaded together: a user who reads it goes on to a version or a draft, and one file packs better than many. */
import { DraftScreen } from './draft/DraftScreen.tsx';
import { OneVersion } from './OneVersion.tsx';
import { PolicyScreen } from './PolicyScreen.tsx';

export const POLICY_PLACES = { DraftScreen, OneVersion, PolicyScreen };
