import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type axe from 'axe-core';
import { source as axeSource } from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { DESK, servedHtml } from './visitor';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** Ignored by git; CI keeps it. */
const SCREENSHOTS = resolve(__dirname, '../../../../artefacts/screenshots');

const ALL_RULES: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

const htmlValidate = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // The space that Preact leaves out or in is no matter of validity.
    'no-trailing-whitespace': 'off',
    // Asks for more than HTML does: text may hold a ">" (13.1.3), and Preact escapes what it may not hold.
    'no-raw-characters': 'off',
  },
});

/**
 * What a shift may come to while the page is still being read: the parser may stop in the midst of a row, and what is
 * centred in it moves when the rest comes. A tenth of what Web Vitals call good; what moves later may not move at all.
 */
const SHIFT_WHILE_PARSING = 0.01;

/** How far down a page is looked at before it is judged, in screens: what comes late must not move what is there. */
const SCREENS = 4;

/**
 * Holds a page, as it stands in the browser, against what every page has to be: accessible (axe), valid HTML as served,
 * no wider than the window, still while it loads. Takes its picture for people to look at, and throws with
 * everything that is wrong. The page must come from `newVisitor`, with JavaScript.
 */
export async function audit(page: Page, name: string): Promise<void> {
  report(page, name, await wrongsOf(page, name));
}

/** The same for a page in its light look, and then for what differs in its dark one, which costs less than two audits. */
export async function auditLightAndDark(page: Page, name: string): Promise<void> {
  const wrongs = await wrongsOf(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await photograph(page, name);
  wrongs.push(
    ...(await axeViolations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })),
  );
  await page.emulateMedia({ colorScheme: 'light' });
  report(page, name, wrongs);
}

function report(page: Page, name: string, wrongs: readonly string[]): void {
  if (wrongs.length > 0) throw new Error(`${name} (${page.url()}):\n${wrongs.join('\n')}`);
}

async function wrongsOf(page: Page, name: string): Promise<string[]> {
  await settle(page);
  const shifts = await layoutShifts(page);
  await photograph(page, name);
  return [...(await axeViolations(page)), ...(await invalidHtml(page)), ...(await overflow(page)), ...shifts];
}

/** Scrolls down and up again, so that what loads late has loaded, and waits for the pictures and fonts. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(async (screens) => {
    const painted = (): Promise<void> =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    for (let screen = 0; screen < screens; screen++) {
      window.scrollTo({ top: screen * window.innerHeight, behavior: 'instant' });
      await painted();
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
    await painted();
    await document.fonts.ready;
    const inView = [...document.images].filter((image) => {
      const { top, width } = image.getBoundingClientRect();
      // What is folded away has a size, and loads only when it is unfolded.
      return width > 0 && top < window.innerHeight && image.checkVisibility();
    });
    // A picture that can't be decoded is the visitor's assertClean's to tell.
    await Promise.all(inView.map((image) => image.decode().catch(() => undefined)));
    await painted();
  }, SCREENS);
}

async function axeViolations(page: Page, runOnly: axe.RunOnly = ALL_RULES): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `axe ${id}: ${String(target)}: ${failureSummary ?? ''}`),
    );
  }, runOnly);
}

async function invalidHtml(page: Page): Promise<string[]> {
  const { results } = await htmlValidate.validateString(await servedHtml(page));
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `html ${ruleId}: ${message} (${line}:${column})`),
  );
}

/** Against the window that was asked for: a phone widens its own to what the page needs. */
async function overflow(page: Page): Promise<string[]> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const most = page.viewportSize()?.width ?? DESK;
  return width > most ? [`scrolls sideways: ${width} px in a window of ${most} px`] : [];
}

/** Everything that moved without the visitor's doing since the page began, which the browser remembers. */
async function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async (whileParsing) => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources?: readonly {
        readonly node: Node | null;
        readonly previousRect: DOMRectReadOnly;
        readonly currentRect: DOMRectReadOnly;
      }[];
    }
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift';
    const [navigation] = performance.getEntriesByType('navigation');
    const parsed = navigation instanceof PerformanceNavigationTiming ? navigation.domInteractive : 0;
    const shifts: LayoutShift[] = [];
    let firstInput = Infinity;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (isShift(entry)) shifts.push(entry);
        else firstInput = entry.startTime;
      }
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    observer.observe({ type: 'first-input', buffered: true });
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    observer.disconnect();
    // A phone's window is a desk's until the page says that it knows phones; a busy Chromium may paint it once before.
    const isOfWindow = ({ sources = [] }: LayoutShift): boolean =>
      sources.some(
        ({ previousRect, currentRect: { width } }) =>
          width === window.innerWidth && previousRect.width < width / 2,
      );
    // Chromium takes a phone's first sight of the page for a turn of the phone, and that for input.
    return shifts
      .filter((shift) => !isOfWindow(shift))
      .filter(({ startTime, hadRecentInput }) => !hadRecentInput || startTime < firstInput)
      .filter(({ startTime, value }) => value > (startTime < parsed ? whileParsing : 0))
      .map(({ value, startTime, sources = [] }) => {
        const placeOf = ({ x, y, width, height }: DOMRectReadOnly): string => `${x},${y} ${width}×${height}`;
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? '?');
          return `${name} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`;
        });
        return `layout shift of ${value} after ${Math.round(startTime)} ms: ${moved.join(', ')}`;
      });
  }, SHIFT_WHILE_PARSING);
}

async function photograph(page: Page, name: string): Promise<void> {
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const width = page.viewportSize()?.width ?? DESK;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS, `${name}-${width}${dark ? '-dark' : ''}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}
