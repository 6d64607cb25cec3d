/** What can be asked of guards, and by which paths of the facade. */
import type { Route } from '../../../gates/rest/routes.ts';
import { acceptTools } from './acceptTools.ts';
import { removeGuard } from './removeGuard.ts';
import { getGuard, listGuards } from './showGuards.ts';
import { tellGuard } from './tellGuard.ts';

export const guardOperations = { tellGuard, listGuards, getGuard, acceptTools, removeGuard };

export const guardRoutes: readonly Route[] = [
  { method: 'PUT', path: '/ap2/guards', useCase: 'tellGuard', status: 200 },
  { method: 'GET', path: '/ap2/guards', useCase: 'listGuards', status: 200 },
  { method: 'GET', path: '/ap2/guards/:id', useCase: 'getGuard', status: 200 },
  { method: 'POST', path: '/ap2/guards/:id/accept', useCase: 'acceptTools', status: 200 },
  { method: 'DELETE', path: '/ap2/guards/:id', useCase: 'removeGuard', status: 204 },
];
