/** The places of Approvals, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { Approvals } from './Approvals.tsx';
import { OneApproval } from './OneApproval.tsx';

export const APPROVALS_PLACES = { Approvals, OneApproval };
