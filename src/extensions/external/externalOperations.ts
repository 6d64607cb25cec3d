/** What can be asked of payments elsewhere, and by which paths of the facade. */
import type { Route } from '../../gates/rest/routes.ts';
import { commitReservation } from './commitReservation.ts';
import { readStatement } from './readStatement.ts';
import { releaseReservation } from './releaseReservation.ts';
import { reserveExternally } from './reserveExternally.ts';

export const externalOperations = { reserveExternally, commitReservation, releaseReservation, readStatement };

const RESERVATION = '/ap2/external/reservations/:mandateId';

export const externalRoutes: readonly Route[] = [
  { method: 'POST', path: '/ap2/external/reservations', useCase: 'reserveExternally', status: 200 },
  { method: 'POST', path: `${RESERVATION}/commit`, useCase: 'commitReservation', status: 200 },
  { method: 'POST', path: `${RESERVATION}/release`, useCase: 'releaseReservation', status: 200 },
  { method: 'POST', path: '/ap2/external/statements', useCase: 'readStatement', status: 200 },
];
