/** A table of the console by the keyboard alone: one stop of Tab, arrows from line to line, and back to the line that was left. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole } from '../support/consolePage.ts';
import { everyEngine } from '../support/engines.ts';
import { fillMonth } from '../support/filledConsole.ts';
import { makeWorld, type World } from '../support/world.ts';

const skip = CHROMIUM === undefined && process.env['CI'] === undefined ? 'there is no Chromium on this machine' : false;
const [engine] = everyEngine();
/** More keys than the screen has stops. */
const MOST_STOPS = 60;
/** More pages than there are. */
const MOST_PAGES = 20;

describe('a table of the console by the keyboard alone', { skip }, () => {
  let world: World;
  let browser: Browser;
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
    await fillMonth(world);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const openPayments = async (): Promise<Page> => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    await page.goto(`${world.node.baseUrl}/console/#/payments`);
    await page.getByRole('table').waitFor();
    return page;
  };

  test('its lines are one stop of Tab, and arrows, Home and End lead to each of them', async () => {
    const page = await openPayments();
    await tabInto(page);
    assert.equal(await lineInFocus(page), 0);
    const last = (await linesOf(page)) - 1;
    for (const [key, line] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['End', last],
      ['ArrowDown', last],
      ['Home', 0],
      ['ArrowUp', 0],
      ['ArrowDown', 1],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await lineInFocus(page), line, key);
    }
    await assertAccessible(page, 'a table in which a line has the focus');
    await page.keyboard.press('Tab');
    assert.equal(await lineInFocus(page), -1, 'Tab leads out of it');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await lineInFocus(page), 1, 'and back to the line that was left');
    await page.context().close();
  });

  test('Enter opens a line, and going back leads to it again', async () => {
    const page = await openPayments();
    await tabInto(page);
    for (let line = 0; line < 7; line += 1) await page.keyboard.press('ArrowDown');
    assert.equal(await lineInFocus(page), 7);
    await page.keyboard.press('Enter');
    await page.getByText('Belongs to').waitFor();
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.closest('tr[data-key]') != null);
    assert.equal(await lineInFocus(page), 7);
    await page.keyboard.press('ArrowDown');
    assert.equal(await lineInFocus(page), 8);
    await page.context().close();
  });

  test('the focus stays where it is while more lines come, and goes to the first new one with the last of them', async () => {
    const page = await openPayments();
    await tabInto(page);
    await page.keyboard.press('End');
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const before = await linesOf(page);
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => document.activeElement?.textContent);
      assert.equal(name, 'Show more', `after ${before} lines`);
      await page.keyboard.press('Enter');
      await page.waitForFunction((count) => document.querySelectorAll('tr[data-key]').length > count, before);
      if ((await page.getByRole('button', { name: 'Show more' }).count()) === 0) {
        assert.equal(await lineInFocus(page), before, 'the first that the last page brought');
        await page.context().close();
        return;
      }
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Show more');
      await page.keyboard.press('Shift+Tab');
      assert.equal(await lineInFocus(page), before - 1, 'the line that was left is the stop');
      await page.keyboard.press('End');
    }
    assert.fail('There is no last page.');
  });
});

const linesOf = (page: Page) => page.locator('tr[data-key]').count();

/** @returns the place among the lines of the one that has the focus; -1 where none has */
function lineInFocus(page: Page): Promise<number> {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll('tr[data-key]')];
    return lines.findIndex((line) => line.contains(document.activeElement));
  });
}

async function tabInto(page: Page): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if ((await lineInFocus(page)) >= 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('No press of Tab leads into the table.');
}
