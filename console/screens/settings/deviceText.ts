/** What a browser says that it is, in two words: enough to tell one's phone from a stranger's. */

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

/** @param userAgent as the login was opened with; null where it said none */
export function deviceText(userAgent: string | null): string {
  const wordOf = (words: typeof BROWSERS) => words.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [wordOf(BROWSERS), wordOf(SYSTEMS)];
  if (browser === undefined && system === undefined)
    return userAgent?.slice(0, 60) || 'A device that says nothing of itself';
  return [browser ?? 'A browser', system].filter((word) => word !== undefined).join(' on ');
}
