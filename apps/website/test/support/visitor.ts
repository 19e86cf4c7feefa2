import { launchChromium, PATIENCE_MS, type Person, type Stack } from '@vitrine/testing';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Frame,
  Page,
  Request,
  Response,
} from 'playwright-core';

export const PHONE = 390;
export const DESK = 1280;
const HEIGHTS = { [PHONE]: 844, [DESK]: 900 };

export interface VisitorOptions {
  /** Width in CSS pixels; the phone has a touch screen. */
  readonly width?: typeof PHONE | typeof DESK;
  readonly dark?: boolean;
  readonly javaScript?: boolean;
  /** Who is logged in. Undefined: a visitor without an account. */
  readonly as?: Pick<Person, 'session'> | undefined;
}

/** A separate browser context (cookies, storage), and the errors in it. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Throws an error with all problems since the last call: errors in the console, errors of scripts, violations of
   * the Content-Security-Policy, failed requests, and requests to any origin but the stack's three. `except`: errors
   * that the test has caused itself.
   */
  assertClean(except?: readonly RegExp[]): void;
  /** Sets the session cookie of a person, as the site's login does. */
  logIn(person: Pick<Person, 'session'>): Promise<void>;
  close(): Promise<void>;
}

/** The documents of pages as they were served. */
const documents = new WeakMap<Page, Promise<string>>();

/** The HTML of the page as the server sent it, before any script ran. */
export async function servedHtml(page: Page): Promise<string> {
  const served = await documents.get(page);
  if (served === undefined) throw new Error('The page comes from no visitor of ours, or shows nothing yet');
  return served;
}

/** Opens a new browser context. */
export async function newVisitor(
  browser: Browser,
  stack: Stack,
  { width = DESK, dark = false, javaScript = true, as }: VisitorOptions = {},
): Promise<Visitor> {
  const phone: BrowserContextOptions = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const context = await browser.newContext({
    baseURL: stack.siteUrl,
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: javaScript,
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(width === PHONE && phone),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const troubles = watch(context, stack);
  // Chromium logs most violations to the console; report-only violations only cause an event.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`Content-Security-Policy: ${violatedDirective} stopped ${blockedURI} in ${sourceFile}`),
    ),
  );
  await context.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () =>
      requestAnimationFrame(() =>
        // Not the time that the callback receives: a late frame gets one before the end of the previous frame.
        requestAnimationFrame(() => Object.assign(window, { firstFrameEnded: performance.now() })),
      ),
    ),
  );
  const page = await context.newPage();

  const visitor: Visitor = {
    context,
    page,
    assertClean: (except = []) => {
      const left = troubles.splice(0).filter((trouble) => !except.some((known) => known.test(trouble)));
      if (left.length > 0) throw new Error(`The visit was not clean:\n${left.join('\n')}`);
    },
    logIn: ({ session }) =>
      context.addCookies([
        { name: 'vitrine_session', value: session, url: stack.siteUrl, httpOnly: true, sameSite: 'Lax' },
      ]),
    close: () => context.close(),
  };
  if (as) await visitor.logIn(as);
  return visitor;
}

/**
 * A site and a browser for the tests of a suite. Both end after the suite, and visits after each test unless `keepVisits`.
 */
export function useBrowser({ keepVisits = false } = {}) {
  let stack: Stack | undefined;
  let browser: Browser | undefined;
  const visitors: Visitor[] = [];
  if (!keepVisits) afterEach(() => Promise.all(visitors.splice(0).map((visitor) => visitor.close())));
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const arrive = async (options?: VisitorOptions): Promise<Visitor> => {
    const visitor = await newVisitor(browser!, stack!, options);
    visitors.push(visitor);
    return visitor;
  };
  return {
    /** Starts the browser while the site starts. Call it in `beforeAll`. */
    start: async <Site extends Stack>(starting: Promise<Site>): Promise<Site> => {
      [stack, browser] = await Promise.all([starting, launchChromium()]);
      return starting;
    },
    /** Opens a browser context that shows no page yet. */
    arrive,
    /** Opens a page in a browser context of its own. */
    visit: async (path: string, options?: VisitorOptions): Promise<Visitor> => {
      const visitor = await arrive(options);
      await visitor.page.goto(path);
      return visitor;
    },
  };
}

/** Collects the errors of all pages of a browser context, one line each. */
function watch(context: BrowserContext, { siteUrl, apiUrl, cdnUrl }: Stack): string[] {
  const troubles: string[] = [];
  const ours = new Set([siteUrl, new URL(apiUrl).origin, cdnUrl]);
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => troubles.push(`script: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && !ours.has(origin))
      troubles.push(`request elsewhere: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // Caused by the browser itself when it leaves a page or stops loading a video.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => remember(response));
  return troubles;
}

/** Read at once, because the browser drops a document when the next one loads. */
function remember(response: Response): void {
  const request = response.request();
  if (!request.isNavigationRequest()) return;
  const frame = frameOf(request);
  if (frame === null || frame.parentFrame() !== null || response.status() < 200 || isRedirect(response))
    return;
  const text = response.text();
  // The error is reported only to code that reads the document.
  text.catch(() => undefined);
  documents.set(frame.page(), text);
}

/** Null for the request of a new tab that has no frame yet. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

const isRedirect = (response: Response): boolean => response.status() >= 300 && response.status() < 400;
