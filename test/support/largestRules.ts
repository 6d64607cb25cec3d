/** A policy with the schema's largest lists. */
const MOST = 1000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const names = (make: (index: number) => string) => Array.from({ length: MOST }, (_, index) => make(index));
const four = (index: number) => String(index).padStart(4, '0');
const minute = (index: number) => `${String(index % 10).padStart(2, '0')}:${String(index % 50).padStart(2, '0')}`;

/** @param turn makes other entries that overlap with those of another turn, so that no comparison ends early */
export function largestRules(turn: number) {
  const zones = Intl.supportedValuesOf('timeZone');
  return {
    version: '2.0',
    spend: { amount_cap: 10, currency: 'USD' },
    merchant: {
      allow_list: names((index) => `${index % 2 === 0 ? '' : '*.'}s${index + turn}.allowed.example`),
      deny_list: names((index) => `${index % 2 === 0 ? '' : '*.'}s${index + turn}.denied.example`),
      mcc_allow: names((index) => four(index + turn)),
      mcc_deny: names((index) => four(index + turn + 5000)),
    },
    context: {
      time_windows: Array.from({ length: MOST }, (_, index) => ({
        days: [DAYS[index % 7]],
        from: minute(index + turn),
        to: '23:00',
        timezone: zones[(index * 7) % zones.length],
      })),
      geo: { allow: names(() => 'DE'), deny: names(() => 'US') },
    },
    rails: { allow: names((index) => `rail ${index + turn}`), priorities: names((index) => `rail ${index + turn}`) },
  };
}
