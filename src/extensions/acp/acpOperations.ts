/** What can be asked of sessions of ACP, and by which path of the facade. */
import type { Route } from '../../gates/rest/routes.ts';
import { validateAcpSession } from './validateAcpSession.ts';

export const acpOperations = { validateAcpSession };

export const acpRoutes: readonly Route[] = [
  { method: 'POST', path: '/ap2/carts/validate/acp', useCase: 'validateAcpSession', status: 200 },
];
