import type { Page } from 'playwright-core';

/** Records what an element of the page announces to screen readers; the list grows as it does. */
export async function recordAnnouncements(page: Page, selector: string): Promise<readonly string[]> {
  const announcements: string[] = [];
  await page.exposeFunction('announced', (sentence: string) => announcements.push(sentence));
  await page.locator(selector).evaluate((place) => {
    const { announced } = window as Window & { announced?: (sentence: string) => void };
    new MutationObserver(() => announced?.(place.textContent!)).observe(place, { childList: true });
  });
  return announcements;
}
