import type { Person, Stack } from '@vitrine/testing';
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
  /** CSS pixels; a phone has a touch screen too. */
  readonly width?: typeof PHONE | typeof DESK;
  readonly dark?: boolean;
  readonly javaScript?: boolean;
}

/** A browser of its own (cookies, storage), and everything that went wrong in it. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Throws with what went wrong since the last call: errors in the console, errors of scripts, violations of the
   * Content-Security-Policy, failed requests, and requests to any origin but the stack's three. `except` names what a
   * test has brought about itself.
   */
  assertClean(except?: readonly RegExp[]): void;
  /** Has the person's session, as the site's login leaves it in the browser. */
  logIn(person: Pick<Person, 'session'>): Promise<void>;
  close(): Promise<void>;
}

/** Where a page's document is kept as it was served. */
const documents = new WeakMap<Page, Promise<string>>();

/** The HTML of the page as the server sent it, before any script ran. */
export async function servedHtml(page: Page): Promise<string> {
  const served = await documents.get(page);
  if (served === undefined) throw new Error('The page comes from no visitor of ours, or shows nothing yet');
  return served;
}

/** A visitor who was never here before. */
export async function newVisitor(
  browser: Browser,
  stack: Stack,
  { width = DESK, dark = false, javaScript = true }: VisitorOptions = {},
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
  context.setDefaultTimeout(10_000);
  const troubles = watch(context, stack);
  // Chromium tells the console of most violations; of those that a policy only reports it tells the document alone.
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`Content-Security-Policy: ${violatedDirective} stopped ${blockedURI} in ${sourceFile}`),
    ),
  );
  const page = await context.newPage();

  return {
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
}

/** Collects what goes wrong in all pages of a browser, one line each. */
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
    // The browser's own doing: it leaves a page, or has enough of a video.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => remember(response));
  return troubles;
}

/** At once, because the browser forgets a document as soon as the next one comes. */
function remember(response: Response): void {
  const request = response.request();
  if (!request.isNavigationRequest()) return;
  const frame = frameOf(request);
  if (frame === null || frame.parentFrame() !== null || response.status() < 200 || isRedirect(response))
    return;
  const text = response.text();
  // Whoever asks for it is told; whoever doesn't isn't bothered.
  text.catch(() => undefined);
  documents.set(frame.page(), text);
}

/** Null for what a new tab asks for before there is one. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

const isRedirect = (response: Response): boolean => response.status() >= 300 && response.status() < 400;
