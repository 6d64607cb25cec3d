/** What can be asked of wallets, and by which paths of the facade. */
import type { Route } from '../../gates/rest/routes.ts';
import { createWallet, getWallet, listWallets, removeWallet } from './manageWallets.ts';

export const walletOperations = { createWallet, listWallets, getWallet, removeWallet };

export const walletRoutes: readonly Route[] = [
  { method: 'POST', path: '/ap2/admin/wallets', useCase: 'createWallet', status: 201 },
  { method: 'GET', path: '/ap2/admin/wallets', useCase: 'listWallets', status: 200 },
  { method: 'GET', path: '/ap2/admin/wallets/:id', useCase: 'getWallet', status: 200 },
  { method: 'DELETE', path: '/ap2/admin/wallets/:id', useCase: 'removeWallet', status: 204 },
];
