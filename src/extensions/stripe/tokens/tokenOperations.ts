/** What can be asked of shared payment tokens, and by which paths of the facade. */
import type { Route } from '../../../gates/rest/routes.ts';
import { createSpt } from './createSpt.ts';
import { getSpt, listSpts, revokeSpt, sptOverview } from './manageSpts.ts';

export const tokenOperations = { createSpt, listSpts, sptOverview, getSpt, revokeSpt };

export const tokenRoutes: readonly Route[] = [
  { method: 'POST', path: '/admin/spt', useCase: 'createSpt', status: 201 },
  { method: 'GET', path: '/admin/spt', useCase: 'listSpts', status: 200 },
  { method: 'GET', path: '/admin/spt/stats/overview', useCase: 'sptOverview', status: 200 },
  { method: 'GET', path: '/admin/spt/:id', useCase: 'getSpt', status: 200 },
  { method: 'POST', path: '/admin/spt/:id/revoke', useCase: 'revokeSpt', status: 200 },
];
