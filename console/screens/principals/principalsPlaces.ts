/** The places of Principals, loaded together: who opens one goes on to another, and one file packs better than many. */
import { AddPrincipal } from './AddPrincipal.tsx';
import { OnePrincipal } from './OnePrincipal.tsx';
import { Principals } from './Principals.tsx';

export const PRINCIPALS_PLACES = { AddPrincipal, OnePrincipal, Principals };
