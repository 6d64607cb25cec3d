/** What can be asked of signed requests, and by which path of the facade. */
import type { Route } from '../../gates/rest/routes.ts';
import { signHttpRequest } from './signHttpRequest.ts';

export const signatureOperations = { signHttpRequest };

export const signatureRoutes: readonly Route[] = [
  { method: 'POST', path: '/ap2/http-signatures', useCase: 'signHttpRequest', status: 200 },
];
