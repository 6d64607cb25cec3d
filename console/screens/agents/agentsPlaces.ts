/** The places of Agents, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { AddAgent } from './AddAgent.tsx';
import { Agents } from './Agents.tsx';
import { OneAgent } from './OneAgent.tsx';

export const AGENTS_PLACES = { AddAgent, Agents, OneAgent };
