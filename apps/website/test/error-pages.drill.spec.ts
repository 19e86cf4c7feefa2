import { describeWithChromium, type Person, type OwnStack, startStack } from '@vitrine/testing';
import type { Response } from 'playwright-core';
import { auditLightAndDark } from './support/audit';
import { PHONE, useBrowser, type Visitor } from './support/visitor';

/** API requests per minute for a visitor without an account. */
const CALLS = 3;

describeWithChromium('error pages', () => {
  const { start, arrive } = useBrowser();
  let stack: OwnStack;
  let visitor: Visitor;
  let ada: Person;

  beforeAll(async () => {
    stack = await start(
      startStack({
        without: ['upload-service', 'media-processor', 'moderation-service'],
        env: { RATE_LIMIT_PUBLIC_PER_MINUTE: String(CALLS), RATE_LIMIT_SITE_FACTOR: '1' },
      }),
    );
    ada = await stack.createPerson('ada');
  });
  beforeEach(async () => {
    visitor = await arrive({ width: PHONE });
  });

  const open = async (path: string): Promise<Response> => {
    const answer = await visitor.page.goto(path);
    if (!answer) throw new Error(`Nothing was loaded from ${path}`);
    return answer;
  };

  // Promise [website]: A 429 page says when to try again; a 500 page has the request’s id.
  it('say how long a rate limit lasts, and link back to the page', async () => {
    let answer = await open('/tags?q=sea');
    for (let calls = 1; calls <= CALLS && answer.status() === 200; calls++)
      answer = await open('/tags?q=sea');

    const seconds = Number(answer.headers()['retry-after']);
    expect([answer.status(), answer.headers()['cache-control']]).toEqual([429, 'no-store']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    const main = visitor.page.getByRole('main');
    expect(await main.innerText()).toContain(`Wait ${seconds} second`);
    expect(await main.getByRole('link', { name: 'try again' }).getAttribute('href')).toBe('/tags?q=sea');
    await auditLightAndDark(visitor.page, 'page-too-many');
    visitor.assertClean([/status of 429/]);
  });

  it('show the id of the failed request', async () => {
    await visitor.logIn(ada);
    await stack.sql('alter table tags rename to tags_elsewhere');
    try {
      const answer = await open('/tags');

      const id = answer.headers()['x-request-id'] ?? '';
      expect([answer.status(), answer.headers()['cache-control']]).toEqual([500, 'no-store']);
      expect(await visitor.page.locator('main code').innerText()).toBe(id);
      expect(stack.services.get('api-gateway')?.output()).toContain(id);
      expect(await visitor.page.content()).not.toMatch(/tags_elsewhere|relation|QueryFailed|node_modules/);
      await auditLightAndDark(visitor.page, 'page-failed');
      visitor.assertClean([/status of 500/]);
    } finally {
      await stack.sql('alter table tags_elsewhere rename to tags');
    }
  });

  it('say when to retry if the service is unavailable', async () => {
    await visitor.logIn(ada);
    await stack.services.get('api-gateway')?.stop();

    const answer = await open('/tags');

    expect([answer.status(), answer.headers()['retry-after']]).toEqual([503, '5']);
    await visitor.page.getByText('Wait 5 seconds').waitFor();
    await auditLightAndDark(visitor.page, 'page-away');
    visitor.assertClean([/status of 503/]);
  });
});
