/** Lists of the console: a table by the keyboard alone, what fits into it, and the days under which records stand. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { assertAccessible, DESKTOP, openConsole, PHONE, takePictures } from '../support/consolePage.ts';
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

describe('lists of the console', { skip }, () => {
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

  const open = (page: Page, place: string) => page.goto(`${world.node.baseUrl}/console/${place}`);

  test('a table says each reason and each limit as a whole, and decisions stand by time and by amount either way', async () => {
    const { page } = await openConsole(browser, world, 'OWNER', DESKTOP);
    for (const [place, column] of [
      ['#/agents', 'Tightest limit'],
      ['#/decisions', 'Outcome'],
      ['#/payments', 'State'],
      ['#/evidence', 'What happened'],
      ['#/evidence', 'By'],
    ] as const) {
      await open(page, place);
      await page.getByRole('columnheader', { name: column }).waitFor();
      assert.deepEqual(await cutTexts(page, column), [], place);
    }
    await open(page, '#/decisions');
    await page.getByRole('columnheader', { name: 'Outcome' }).waitFor();
    const days = async () => (await page.locator('th.day').allInnerTexts()).map((text) => text.split(' ')[1]);
    const newest = await days();
    const when = page.getByRole('columnheader', { name: 'When' });
    await when.getByRole('button').click();
    await page.getByText(/^The oldest: /).waitFor();
    assert.equal(await when.getAttribute('aria-sort'), 'ascending');
    assert.notDeepEqual(await days(), newest);
    const firstOfAll = (await world.rest('GET', '/ap2/decisions?sort=oldest&limit=1')).body.data[0];
    assert.match(
      (await page.locator('tr[data-key] a').first().getAttribute('href')) ?? '',
      new RegExp(firstOfAll.transactionId),
    );
    for (const [order, sort] of [
      ['descending', 'largest'],
      ['ascending', 'smallest'],
    ] as const) {
      await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
      await page.locator(`th[aria-sort="${order}"]`, { hasText: 'Amount' }).waitFor();
      await page.getByText(new RegExp(`^The ${sort}: `)).waitFor();
      const { data } = (await world.rest('GET', `/ap2/decisions?sort=${sort}&currency=USD&limit=50`)).body;
      const cell = page
        .locator('tr[data-key]', {
          hasText: `${data[0].amount.toLocaleString('en-US', { minimumFractionDigits: 2 })} USD`,
        })
        .first();
      await cell.waitFor();
      // Not by its words, which say how long ago it was.
      const [first, found] = [page.locator('tr[data-key]').first(), cell];
      assert.equal(await first.getAttribute('data-key'), await found.getAttribute('data-key'));
    }
    await assertAccessible(page, 'decisions by amount');
    await takePictures(page, 'decisions-by-amount');
    await page.context().close();
  });

  test('payments and decisions stand under the same days on a phone as on a desk, and by amount under none', async () => {
    const desk = await openConsole(browser, world, 'OWNER', DESKTOP);
    const phone = await openConsole(browser, world, 'OWNER', PHONE);
    for (const [place, name] of [
      ['#/payments', 'Payments'],
      ['#/decisions', 'Decisions'],
    ] as const) {
      for (const { page } of [desk, phone]) {
        await open(page, place);
        // What was listed before is gone by then.
        await page.getByRole('heading', { level: 1, name }).waitFor();
      }
      await desk.page.locator('th.day').first().waitFor();
      const days = await desk.page.locator('th.day').allInnerTexts();
      await phone.page.getByRole('heading', { level: 2, name: String(days[0]) }).waitFor();
      const headings = await phone.page.getByRole('heading', { level: 2 }).allInnerTexts();
      assert.deepEqual(headings, days, place);
      await assertAccessible(phone.page, `${place} by day`);
    }
    for (const place of ['#/payments', '#/decisions']) {
      await open(phone.page, place);
      await phone.page.getByRole('heading', { level: 2 }).first().waitFor();
      await open(phone.page, `${place}?sort=largest&currency=USD`);
      await phone.page.getByRole('heading', { level: 2 }).first().waitFor({ state: 'detached' });
    }
    await Promise.all([desk, phone].map(({ page }) => page.context().close()));
  });
});

/** @returns the texts of a column that end in dots, or are broken off */
function cutTexts(page: Page, column: string): Promise<string[]> {
  return page.evaluate((name) => {
    const names = [...document.querySelectorAll<HTMLElement>('thead th')].map((head) => head.innerText.trim());
    const cells = [...document.querySelectorAll(`tr[data-key] td:nth-child(${names.indexOf(name) + 1})`)];
    const isCut = (at: Element) => at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).display !== 'inline';
    return cells
      .filter((cell) => [cell, ...cell.querySelectorAll('*')].some(isCut))
      .map(({ textContent }) => textContent ?? '');
  }, column);
}

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
