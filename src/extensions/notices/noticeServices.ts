/** What the extension has made for its operations: the mail server, and the keys by which push services know the node. */
import type { Deps } from '../../usecase/deps.ts';
import type { VapidKeys } from './channels/vapidKeys.ts';
import type { Mailer } from './mail/mailer.ts';

export const NAME = 'notices';

export interface NoticeServices {
  /** Undefined where the operator named no mail server. */
  readonly mailer: Mailer | undefined;
  readonly vapid: VapidKeys;
}

export function servicesOf({ operations }: Pick<Deps, 'operations'>): NoticeServices {
  return operations.services.get(NAME) as NoticeServices;
}
