import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type axe from 'axe-core';
import { type ConfigData, HtmlValidate, type ResolvedConfig, StaticConfigLoader } from 'html-validate';
import type { Page } from 'playwright-core';
import { DESK, servedHtml } from './visitor';

declare global {
  interface Window {
    readonly axe: typeof axe;
    /** The end of the first frame of the whole document, in milliseconds since the page began. */
    readonly firstFrameEnded: number;
  }
}

/** Ignored by git. Screenshots cost a third of the time of an audit and check nothing, so they are made only on request. */
const SCREENSHOTS = resolve(__dirname, '../../../../artefacts/screenshots');

/** Half as long as `axe.source`: the browser parses it again for every page. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

const HTML_RULES: ConfigData = {
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // White space between tags doesn't affect validity.
    'no-trailing-whitespace': 'off',
    // Stricter than HTML: text may contain ">" (13.1.3), and Preact escapes the rest.
    'no-raw-characters': 'off',
  },
};

/** Resolves the rules once. Otherwise each validation merges the description of all elements again, which takes 40 ms. */
class ResolvedOnce extends StaticConfigLoader {
  private resolved?: ResolvedConfig | Promise<ResolvedConfig>;

  override getConfigFor(handle: string): ResolvedConfig | Promise<ResolvedConfig> {
    return (this.resolved ??= super.getConfigFor(handle));
  }
}

const htmlValidate = new HtmlValidate(new ResolvedOnce(HTML_RULES));

/**
 * Maximum layout shift up to the first frame of the whole document: the parser may pause within a row, and content moves
 * when the rest arrives. A tenth of what Web Vitals call good. Later shifts are not allowed.
 */
const SHIFT_WHILE_PARSING = 0.01;

/** Number of screens that the audit scrolls down: content that loads late must not move other content. */
const SCREENS = 4;

/**
 * Checks that a page is accessible (axe), valid HTML as served, no wider than the window, and without layout shifts.
 * With `SCREENSHOTS=true` it takes a screenshot. Throws an error with all problems. The page must come from `newVisitor`,
 * with JavaScript.
 */
export async function audit(page: Page, name: string): Promise<void> {
  report(page, name, await wrongsOf(page, name));
}

/** Audits a page in light mode, and then the parts that differ in dark mode, which is faster than two audits. */
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
      // Collapsed content has a size, but loads only when it is opened.
      return width > 0 && top < window.innerHeight && image.checkVisibility();
    });
    // `assertClean` reports pictures that can't be decoded.
    await Promise.all(inView.map((image) => image.decode().catch(() => undefined)));
    await painted();
  }, SCREENS);
}

async function axeViolations(page: Page, runOnly: axe.RunOnly = ALL_RULES): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, {
      runOnly: rules,
      resultTypes: ['violations'],
      // By default it also requests and parses all stylesheets, for an experimental rule that does not run.
      preload: { assets: ['media'] },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `axe ${id}: ${String(target)}: ${failureSummary ?? ''}`),
    );
  }, runOnly);
}

/** The texts without problems: a page is the same text at both widths, and validating it takes 50 ms. */
const validTexts = new Set<string>();

async function invalidHtml(page: Page): Promise<string[]> {
  const html = await servedHtml(page);
  if (validTexts.has(html)) return [];
  const { results } = await htmlValidate.validateString(html);
  if (results.length === 0) validTexts.add(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `html ${ruleId}: ${message} (${line}:${column})`),
  );
}

/** Compares with the requested window, because a phone widens its window to the page's width. */
async function overflow(page: Page): Promise<string[]> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const most = page.viewportSize()?.width ?? DESK;
  return width > most ? [`scrolls sideways: ${width} px in a window of ${most} px`] : [];
}

/** All layout shifts since the page began that the visitor didn't cause. */
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
    // Until the page's viewport is known, a phone uses a wide window, and a busy Chromium may paint it once.
    const isOfWindow = ({ sources = [] }: LayoutShift): boolean =>
      sources.some(
        ({ previousRect, currentRect: { width } }) =>
          width === window.innerWidth && previousRect.width < width / 2,
      );
    // Chromium treats the first view on a phone as a rotation, and that as input.
    return shifts
      .filter((shift) => !isOfWindow(shift))
      .filter(({ startTime, hadRecentInput }) => !hadRecentInput || startTime < firstInput)
      .filter(({ startTime, value }) => value > (startTime < window.firstFrameEnded ? whileParsing : 0))
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
  if (process.env['SCREENSHOTS'] !== 'true') return;
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const width = page.viewportSize()?.width ?? DESK;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS, `${name}-${width}${dark ? '-dark' : ''}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}

/** The addresses of the pictures of a post that have been loaded; the posts below it don't count. */
export const loadedPictures = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.post-pictures img')
    .evaluateAll((images) =>
      (images as HTMLImageElement[])
        .filter(({ naturalWidth, currentSrc }) => naturalWidth > 0 && !currentSrc.startsWith('data:'))
        .map(({ currentSrc }) => currentSrc),
    );
