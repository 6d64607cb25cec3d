/** Notices as deliveries: their texts, by which service each goes, and what is done where a place is to get nothing more. */
import { forgetGonePlace, openPlace, originOf, silenceEndedPlace } from '../../../domain/notifications/noticePlace.ts';
import { renderNotice } from '../../../domain/notifications/renderNotice.ts';
import type { DeliveryKind } from '../../../usecase/deliveryKind.ts';
import { sendNotice } from './sendNotice.ts';

export const noticeDeliveries: DeliveryKind = {
  isOf: ({ user_id: userId }) => userId !== null,
  render: renderNotice,
  senderOf: (deps, row) => sendNotice(deps, { ...openPlace(deps, row), url: row.url }, row.id),
  // The log is for who administers; where a person is told of things is theirs to know.
  logUrl: originOf,
  onEnd: (deps, row, end) => (end === 'gone' ? forgetGonePlace(deps, row) : silenceEndedPlace(deps, row)),
};
