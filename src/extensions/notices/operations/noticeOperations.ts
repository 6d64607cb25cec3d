/** What can be asked of the places that notifications go to, and by which paths of the facade. */
import type { Route } from '../../../gates/rest/routes.ts';
import { addNotifications } from './addNotifications.ts';
import { mailInvitation } from './mailInvitation.ts';
import {
  changeNotifications,
  confirmNotifications,
  removeNotifications,
  showNotifications,
  tryNotifications,
} from './manageNotifications.ts';

export const noticeOperations = {
  showNotifications,
  addNotifications,
  confirmNotifications,
  changeNotifications,
  removeNotifications,
  tryNotifications,
  mailInvitation,
};

const PATH = '/ap2/auth/notifications';

export const noticeRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, useCase: 'showNotifications', status: 200 },
  { method: 'POST', path: PATH, useCase: 'addNotifications', status: 201 },
  { method: 'PUT', path: `${PATH}/:id`, useCase: 'changeNotifications', status: 200 },
  { method: 'DELETE', path: `${PATH}/:id`, useCase: 'removeNotifications', status: 204 },
  { method: 'POST', path: `${PATH}/:id/confirm`, useCase: 'confirmNotifications', status: 200 },
  { method: 'POST', path: `${PATH}/:id/try`, useCase: 'tryNotifications', status: 200 },
  { method: 'POST', path: '/ap2/admin/invitations/mail', useCase: 'mailInvitation', status: 201 },
];
