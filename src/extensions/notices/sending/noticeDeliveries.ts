/** Notices as deliveries: their texts, by which service each goes, and what is done where a place is to get nothing more. */
import type { DeliveryKind } from '../../../usecase/deliveryKind.ts';
import type { NoticeServices } from '../noticeServices.ts';
import { forgetGonePlace, openPlace, originOf, silenceEndedPlace } from '../places/noticePlace.ts';
import { renderNotice } from './renderNotice.ts';
import { sendNotice } from './sendNotice.ts';

export function noticeDeliveries(services: NoticeServices): DeliveryKind {
  return {
    isOf: ({ user_id: userId }) => userId !== null,
    render: renderNotice,
    senderOf: ({ sealer, settings }, row) =>
      sendNotice({ settings, ...services }, { ...openPlace({ sealer }, row), url: row.url }, row.id),
    // The log is for who administers; where a person is told of things is theirs to know.
    logUrl: originOf,
    onEnd: (deps, row, end) => (end === 'gone' ? forgetGonePlace(deps, row) : silenceEndedPlace(deps, row)),
    close: () => services.mailer?.close(),
  };
}
