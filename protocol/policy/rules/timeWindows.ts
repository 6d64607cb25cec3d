/** The times at which agents may buy. */
import { allowed } from '../direction.ts';
import { NOT_SET, namesText } from '../explain.ts';
import type { Rule } from '../rule.ts';
import { listOf } from '../values/ruleValues.ts';
import {
  type CompiledWindow,
  compileWindow,
  isOpen,
  nextInside,
  readClock,
  TimeWindow,
  windowsCover,
} from '../values/timeWindow.ts';

type RuleForm = {
  readonly windows: readonly CompiledWindow[];
};

function windowText({ days, from, to, timezone }: TimeWindow): string {
  return `${days === undefined ? 'every day' : days.join(' ')} ${from}–${to} (${timezone})`;
}

const schema = {
  context: {
    time_windows: listOf(TimeWindow)
      .optional()
      .describe('When purchases are allowed; outside all of them they are not.'),
  },
};

export const timeWindows: Rule<typeof schema, 'TIME_WINDOW_VIOLATED', never, RuleForm> = {
  schema,
  members: {
    'context.time_windows': {
      label: 'Times',
      about: 'Agents may buy within these times only.',
      change: { label: 'time windows', everything: 'any time', direction: allowed(windowsCover) },
      sentence: (list) => namesText(list.map(windowText), (times) => `Agents may buy at these times only: ${times}.`),
      parts: {
        days: { label: 'Days', about: 'Every day where none is chosen.' },
        from: { label: 'From', about: 'Such as 08:00.' },
        to: { label: 'To', about: 'Such as 18:00; the end is not within it.' },
        timezone: { label: 'Time zone', about: 'Such as Europe/Berlin.' },
      },
      docs: {
        about:
          'When agents may buy, in the local time of an IANA time zone: within any of the windows. `from` is included, `to` is not; a window whose `to` is before its `from` runs past midnight. Without `days` it applies every day.',
        example: {
          context: {
            time_windows: [
              { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00', timezone: 'Europe/Berlin' },
            ],
          },
        },
        cases: [
          {
            name: 'Monday at noon',
            at: '2026-03-02T12:00:00+01:00',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: true },
          },
          {
            name: 'Monday evening',
            at: '2026-03-02T18:00:00+01:00',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['TIME_WINDOW_VIOLATED'] },
          },
          {
            name: 'Sunday',
            at: '2026-03-01T12:00:00+01:00',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['TIME_WINDOW_VIOLATED'] },
          },
        ],
      },
    },
  },
  compile: ({ context }) => ({ windows: (context?.time_windows ?? []).map(compileWindow) }),
  checks: [
    {
      code: 'TIME_WINDOW_VIOLATED',
      isSet: ({ windows }) => windows.length > 0,
      check({ policy: { windows }, now }) {
        const first = windows[0];
        if (first === undefined || isOpen(windows, now)) return undefined;
        const { day, time } = readClock(first.clock, now);
        return {
          message: `It is ${day} ${time} in ${first.timezone}, outside the times at which the policy allows purchases.`,
        };
      },
      measure({ policy: { windows }, now }) {
        const first = windows[0];
        if (first === undefined) return NOT_SET;
        const { day, time } = readClock(first.clock, now);
        const asked = `${day} ${time} ${first.timezone}`;
        return { asked, sentence: `${asked} is within the times at which the policy allows purchases.` };
      },
      helps: ['time'],
      opensAt: ({ windows }, from) => nextInside(windows, from),
      docs: {
        cause: 'the policy does not allow purchases at this time.',
        remedy: 'ask again within `context.time_windows`, in their time zone.',
      },
    },
  ],
};
