/** The screens of guards, and their card on the page of an agent. */
import { Guards, GuardsCard } from './Guards.tsx';
import { OneGuard } from './OneGuard.tsx';

export const GUARD_PLACES = { Guards, GuardsCard, OneGuard };
