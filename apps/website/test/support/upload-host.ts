import type { Page, Route } from 'playwright-core';

/** The headers of the upload host's responses to a page of another origin. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  'Content-Type': 'application/json',
};

/**
 * Lets `handle` answer the first `times` uploads in place of the upload host. Returns the idempotency keys of all
 * uploads; the list grows as they arrive.
 */
export async function interceptUploads(
  page: Page,
  uploadUrl: string,
  times: number,
  handle: (route: Route) => Promise<void>,
): Promise<string[]> {
  const keys: string[] = [];
  await page.route(uploadUrl, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push((await route.request().headerValue('Idempotency-Key')) ?? '');
    return keys.length <= times ? handle(route) : route.fallback();
  });
  return keys;
}

/** A handler for `interceptUploads` that sends a response. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body: object = { message: 'No.' }) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, headers: { ...CORS, ...headers }, body: JSON.stringify(body) });
