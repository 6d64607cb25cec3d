#!/usr/bin/env bash
# Guess: packages of holidays of the United States know when its banks settle: Independence Day of 2026 is a Saturday, so it is kept on
#        Friday, and what they call a bank holiday is one.
# Reality: the Federal Reserve moves a Sunday's holiday to Monday and a Saturday's to no day: it settles on Friday, 3 July 2026. All three
#        call that Friday a holiday, and date-holidays calls 10 November 2023 one of banks. @date/holidays-us lacks Juneteenth. Only
#        @18f/us-federal-holidays has options with which each of these days is right.
# Hurts: those who tell from such a table when a payout, an ACH entry or a capture arrives: it is there a business day before, or a day late.
# Version: npm @18f/us-federal-holidays 4.0.0, @date/holidays-us 0.4.0, date-holidays 3.37.0, run on 2026-11-29. Source: Federal Reserve
#          Financial Services, Holiday Schedules (holidays on a Saturday).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @18f/us-federal-holidays@4.0.0 @date/holidays-us@0.4.0 date-holidays@3.37.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const names = ['@18f/us-federal-holidays', '@date/holidays-us', 'date-holidays'];
for (const name of names) console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
const [federal, bank, Holidays] = names.map((name) => require(name));

const unitedStates = new (Holidays.default ?? Holidays)('US');
const days = {
  '2026-07-03': 'settles (Independence Day is a Saturday)',
  '2023-11-10': 'settles (Veterans Day is a Saturday)',
  '2026-06-19': 'does not (Juneteenth)',
  '2022-06-20': 'does not (Juneteenth is a Sunday)',
};
for (const [day, truth] of Object.entries(days)) {
  const [year, month, date] = day.split('-').map(Number);
  console.log(day, truth);
  const shifted = federal.isAHoliday(new Date(day));
  const fed = federal.isAHoliday(new Date(day), { shiftSaturdayHolidays: false, shiftSundayHolidays: true });
  console.log('  @18f/us-federal-holidays: a holiday', shifted, 'without shiftSaturdayHolidays', fed);
  console.log('  @date/holidays-us: a bank holiday', bank.isHoliday(new Date(year, month - 1, date), { bank: true }));
  const found = unitedStates.isHoliday(new Date(year, month - 1, date, 12)) || [];
  console.log('  date-holidays:', found.map(({ type, name }) => `${type}, ${name}`).join('; ') || 'none');
}
PROGRAM
cat > expected <<'SEEN'
@18f/us-federal-holidays 4.0.0
@date/holidays-us 0.4.0
date-holidays 3.37.0
2026-07-03 settles (Independence Day is a Saturday)
  @18f/us-federal-holidays: a holiday true without shiftSaturdayHolidays false
  @date/holidays-us: a bank holiday true
  date-holidays: public, Independence Day (substitute day)
2023-11-10 settles (Veterans Day is a Saturday)
  @18f/us-federal-holidays: a holiday true without shiftSaturdayHolidays false
  @date/holidays-us: a bank holiday false
  date-holidays: bank, Veterans Day (substitute day)
2026-06-19 does not (Juneteenth)
  @18f/us-federal-holidays: a holiday true without shiftSaturdayHolidays true
  @date/holidays-us: a bank holiday false
  date-holidays: public, Juneteenth
2022-06-20 does not (Juneteenth is a Sunday)
  @18f/us-federal-holidays: a holiday true without shiftSaturdayHolidays true
  @date/holidays-us: a bank holiday false
  date-holidays: public, Juneteenth (substitute day)
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }
