/** The screen of mandates, and their card on the pages of agents and principals. */
import { Mandates } from './Mandates.tsx';
import { MandatesCard } from './MandatesCard.tsx';

export const MANDATES_PLACES = { Mandates, MandatesCard };
