/** The extension of notices: people are told what happens by mail, in their browser, at a service, and of each week by a digest. */
import { extension } from '../extension.ts';
import { vapidKeys } from './channels/vapidKeys.ts';
import { digestSchedule } from './digests/sendDigests.ts';
import { mailer } from './mail/mailer.ts';
import { mailFaults, mailServerOf, mailVariables } from './mail/mailSettings.ts';
import { NAME, type NoticeServices } from './noticeServices.ts';
import { noticeOperations, noticeRoutes } from './operations/noticeOperations.ts';
import { checkPlaces, silentPlacesOf } from './places/silentPlaces.ts';
import { noticeDeliveries } from './sending/noticeDeliveries.ts';
import { tellUser } from './sending/tellUser.ts';

export const notices = extension({
  name: NAME,
  settings: { variables: mailVariables, secrets: ['SMTP_PASSWORD', 'SMTP_URL'], faults: mailFaults },
  operations: noticeOperations,
  routes: noticeRoutes,
  documents: async () => ({ examples: (await import('./operations/noticeExamples.ts')).noticeExamples }),
  examine: async (_values, ...asked) => [await checkPlaces(...asked)],
  start({ sealer }, values) {
    const server = mailServerOf(values);
    const services: NoticeServices = { mailer: server && mailer(server), vapid: vapidKeys(sealer) };
    return {
      services,
      hooks: { onNotice: [tellUser], silenceOf: [silentPlacesOf] },
      schedules: [digestSchedule],
      deliveries: [noticeDeliveries(services)],
    };
  },
});
