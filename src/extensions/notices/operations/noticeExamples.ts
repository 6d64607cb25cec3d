/** Examples: a browser that a person is told in. */
import type { NoticeTopic } from '../../../../protocol/webhook/noticeText.ts';
import { AT } from '../../../documents/examples/story/story.ts';

const NEEDS_LOGIN = 'It takes a user who has logged in.';
const TOPICS: NoticeTopic[] = ['approvals', 'disputes'];
const OTHER_TOPICS: NoticeTopic[] = ['approvals', 'payments'];

/** A browser as its push service knows it. */
const place = {
  url: 'https://push.example/send/f3a1c5',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};
const shownPlace = {
  id: 'ntc_01m7yh6hx7f1j5m9q3t7x1b5f9',
  kind: 'webPush',
  url: place.url,
  name: 'phone',
  about: TOPICS,
  details: false,
  createdAt: AT,
} as const;

export const noticeExamples = {
  mailInvitation: {
    notPlayed: 'It takes a mail server.',
    input: { mail: 'grace@shop.example', role: 'MEMBER', name: 'Grace' },
    output: {
      id: 'inv_01m7yh6hx7f1j5m9q3t7x1b5f9',
      role: 'MEMBER',
      name: 'Grace',
      userId: 'usr_01m7yh6hx7f1j5m9q3t7x1b5g2',
      createdAt: AT,
      expiresAt: AT,
    },
  },
  showNotifications: {
    notPlayed: NEEDS_LOGIN,
    input: {},
    output: { applicationServerKey: place.keys.p256dh, sendsMail: true, places: [shownPlace] },
  },
  addNotifications: {
    notPlayed: NEEDS_LOGIN,
    input: { kind: 'webPush', endpoint: place.url, keys: place.keys, name: 'phone', about: TOPICS },
    output: shownPlace,
  },
  confirmNotifications: {
    notPlayed: NEEDS_LOGIN,
    input: { id: shownPlace.id, code: '7QK2-M9XD' },
    output: { ...shownPlace, kind: 'email', url: 'ada@shop.example', name: 'mail' },
  },
  changeNotifications: {
    notPlayed: NEEDS_LOGIN,
    input: {
      id: shownPlace.id,
      name: 'phone',
      about: OTHER_TOPICS,
      paymentsFrom: { amount: 100, currency: 'USD' },
      details: true,
    },
    output: {
      ...shownPlace,
      about: OTHER_TOPICS,
      paymentsFrom: { amount: 100, currency: 'USD' },
      details: true,
    },
  },
  removeNotifications: { notPlayed: NEEDS_LOGIN, input: { id: shownPlace.id } },
  tryNotifications: {
    notPlayed: NEEDS_LOGIN,
    input: { id: shownPlace.id },
    output: {
      id: 'whl_01m7yh6hx7f1j5m9q3t7x1b5f9',
      eventType: 'notice.trial',
      url: 'https://push.example',
      status: 201,
      duration: 84,
      deliveredAt: AT,
      webhookId: shownPlace.id,
      eventId: 'evt_01m7yh6hx7f1j5m9q3t7x1b5f9',
      attempt: 1,
      outcome: 'delivered',
    },
  },
} as const;
