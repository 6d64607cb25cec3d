/** How much of a repeated test is played: a few rounds in `npm test`, every one in `npm run test:long`, which sets LONG. */
const isLong = process.env['LONG'] === '1';

/** @param all rounds of the test @param few of them, where there is little time */
export function rounds(all: number, few = 5): number {
  return isLong ? all : few;
}
