import type { Media } from '@vitrine/client';
import { borrowStack, describeWithChromium, eventually, type Stack } from '@vitrine/testing';
import { decided, upload } from './support/gallery';
import { landscape } from './support/samples';
import { useBrowser } from './support/visitor';

describeWithChromium('a photograph in a browser', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let media: Media;

  beforeAll(async () => {
    const env = { ALTERNATIVES_SECONDS_PER_HOUR: '3600', SWEEP_INTERVAL_SECONDS: '1' };
    stack = await start(borrowStack({ env }));
    const ada = await stack.createPerson('ada');
    media = await decided(
      ada.client,
      await upload(ada.client, await landscape('hills.jpg', 200, 2000, 1300)),
    );
    await eventually(async () => {
      const [row] = await stack.sql<{ count: number }>(
        'select jsonb_array_length(alternatives) as count from media where slug = $1',
        [media.slug],
      );
      expect(row!.count).toBeGreaterThan(0);
    });
  });

  // Promise [website]: Browsers that show AVIF get it at the same address.
  it('is shown as AVIF, and stays a JPEG for a program that asks for the same address', async () => {
    const { page, assertClean } = await arrive();
    const files = new Map<string, string>();
    page.on('response', (response) => {
      if (response.url().startsWith(`${stack.cdnUrl}/f/`))
        files.set(response.url(), response.headers()['content-type'] ?? '');
    });
    await page.goto(`/m/${media.slug}`);
    const picture = page.locator(`img[src*="/f/${media.slug}_"]`).first();
    await picture.scrollIntoViewIfNeeded();
    await eventually(async () =>
      expect(await picture.evaluate((img: HTMLImageElement) => img.complete)).toBe(true),
    );
    assertClean();
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(new Set(files.values())).toEqual(new Set(['image/avif']));
    for (const url of files.keys()) {
      const plain = await fetch(url);
      expect([plain.headers.get('content-type'), plain.headers.get('vary')]).toEqual([
        'image/jpeg',
        'Accept',
      ]);
      const start = Buffer.from(await plain.arrayBuffer()).subarray(0, 3);
      expect(start.toString('hex')).toBe('ffd8ff');
    }
  });
});
