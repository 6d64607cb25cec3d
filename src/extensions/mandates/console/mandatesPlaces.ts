/** The screen of mandates, and their card on the pages of agents and principals. */
import { Mandates } from './Mandates.tsx';
import { AgentMandates, PrincipalMandates } from './MandatesCard.tsx';

export const MANDATES_PLACES = { AgentMandates, Mandates, PrincipalMandates };
