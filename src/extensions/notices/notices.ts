/** The extension of notices: people are told what happens by mail, in their browser, at a service, or once a week by a digest. */
import { extension } from '../extension.ts';
import { noticeDeliveries } from './sending/noticeDeliveries.ts';

export const notices = extension({
  name: 'notices',
  start: () => ({ deliveries: [noticeDeliveries] }),
});
