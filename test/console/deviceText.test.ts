/** Devices by what their browsers say of themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceText } from '../../console/screens/settings/deviceText.ts';

test('a browser and its system are told in two words, and texts that name neither are shown as they came', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36';
  const cases: readonly [string | null, string][] = [
    [`${mac} (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Mac'],
    [`${mac} (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Mac'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0', 'Firefox on Android'],
    ['curl/8.9.1', 'curl/8.9.1'],
    [null, 'A device that says nothing of itself'],
  ];
  for (const [userAgent, told] of cases) assert.equal(deviceText(userAgent), told);
});
