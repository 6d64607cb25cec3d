/** The places of Decisions, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { Decisions } from './Decisions.tsx';
import { OneDecision } from './OneDecision.tsx';

export const DECISIONS_PLACES = { Decisions, OneDecision };
