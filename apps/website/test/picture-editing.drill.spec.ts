import { borrowStack, describeWithChromium, type Person, type Stack } from '@vitrine/testing';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { audit } from './support/audit';
import { notAPicture, type SampleFile } from './support/samples';
import { PHONE, useBrowser, type VisitorOptions, type Visitor } from './support/visitor';

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };

const plain = (width: number, height: number, background = RED) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A JPEG that viewers show upright: half as wide as high, red above blue. Its pixels lie on their side. */
async function redAboveBlue(name: string, edge = 200): Promise<SampleFile> {
  const input = await plain(edge, edge, BLUE).png().toBuffer();
  const both = plain(2 * edge, edge).composite([{ input, left: edge, top: 0 }]);
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: await both.withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  };
}

describeWithChromium('editing pictures before they are uploaded', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    stack = await start(borrowStack());
  });

  const open = async (path: string, options: VisitorOptions): Promise<void> => {
    visitor = await visit(path, options);
    ({ page } = visitor);
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  /** The only stored media item of a person: its size, and the colours of some of its pixels. */
  const stored = async ({ client, username }: Person, ...points: readonly [number, number][]) => {
    const { data } = await client.users.media(username).list();
    expect(data).toHaveLength(1);
    const answer = await fetch(data[0]!.urls.original);
    const picture = sharp(Buffer.from(await answer.arrayBuffer())).autoOrient();
    const { data: pixels, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const colours = points.map(([x, y]) => {
      const at = 3 * (y * info.width + x);
      return pixels[at]! > pixels[at + 2]! ? 'red' : 'blue';
    });
    return { description: data[0]!.description, size: [info.width, info.height], colours };
  };

  it('rotates and crops a file by keys, keeps its texts, and undoes this', async () => {
    const ada = await stack.createPerson('ada');
    await open('/upload', { as: ada });
    const ready = page.locator('.upload-row[data-fate="ready"]');
    await page.locator('#upload-input').setInputFiles([await redAboveBlue('flag.jpg')]);
    await ready.waitFor();
    await page.getByText('Describe').click();
    const described = (): Promise<unknown> => page.waitForResponse(/\/upload\/describe$/);
    const discarded = (): Promise<unknown> => page.waitForResponse(/\/upload\/discard$/);
    const describedFirst = described();
    await page.getByLabel('Caption').fill('Two colours');

    await Promise.all([describedFirst, button('Edit flag.jpg').press('Enter')]);
    await button('Rotate right').press('Enter');
    // 100 pixels of the 400 that the picture is now wide.
    await page.locator('.ReactCrop__drag-handle.ord-e').press('Control+ArrowLeft');
    const undo = button('Undo edits: flag.jpg');
    await Promise.all([discarded(), described(), button('Save').press('Enter'), undo.waitFor()]);
    await ready.waitFor();

    expect(await stored(ada, [150, 100], [250, 100])).toEqual({
      description: 'Two colours',
      size: [300, 200],
      colours: ['blue', 'red'],
    });
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Edit flag.jpg');
    await Promise.all([discarded(), undo.click(), undo.waitFor({ state: 'hidden' })]);
    await ready.waitFor();
    expect(await stored(ada)).toMatchObject({ size: [200, 400] });
    visitor.assertClean();
  });

  it('crops a square by touch, which becomes the profile picture', async () => {
    const bea = await stack.createPerson('bea');
    await open('/settings/avatar', { as: bea, width: PHONE, dark: true });
    const input = page.getByLabel('Choose a picture from this device');
    const portrait = await redAboveBlue('me.jpg', 1500);
    await input.setInputFiles([portrait]);
    await page.getByRole('dialog').waitFor();
    await audit(page, 'avatar-crop');
    await page.keyboard.press('Escape');
    await input.setInputFiles([notAPicture('no.jpg')]);
    await page.getByText('This browser can’t open this picture.').waitFor();
    await input.setInputFiles([{ ...portrait, buffer: await plain(51_000, 1000).jpeg().toBuffer() }]);
    await page.getByText('This picture has too many pixels').waitFor();

    await input.setInputFiles([portrait]);
    // To the upper end, where everything is red.
    const frame = (await page.locator('.ReactCrop__crop-selection').boundingBox())!;
    const finger = await visitor.context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: readonly number[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: 195, y })) });
    await touch('touchStart', frame.y + frame.height / 2);
    await touch('touchMove', frame.y);
    await touch('touchMove', frame.y - frame.height);
    await touch('touchEnd');
    await button('Save').click();
    await page.getByText(/Your profile picture (was changed|will change)/).waitFor();

    const { size, colours } = await stored(bea, [500, 10], [500, 1013]);
    expect([size, colours]).toEqual([
      [1024, 1024],
      ['red', 'red'],
    ]);
    visitor.assertClean();
  });
});
