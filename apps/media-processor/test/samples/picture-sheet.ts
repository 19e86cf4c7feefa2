import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** What a browser shows of a picture. */
interface Shown {
  /** Its natural size; 0 if the browser shows nothing. */
  readonly width: number;
  readonly height: number;
  /** The upper left corner as raw RGB. */
  readonly pixels: Buffer;
}

/** Shows many pictures on a page at once, each in a square. */
export class PictureSheet {
  /**
   * `edge`: pixels of a square's side. The page needs room for `columns` squares in a row, and for all rows. `fit`: at the
   * natural size, from the upper left corner on, or as large as the square allows.
   */
  constructor(
    private readonly page: Page,
    private readonly edge: number,
    private readonly columns: number,
    private readonly fit: 'none' | 'contain' = 'none',
  ) {}

  /** `addresses`: the pictures as `data:` URLs. */
  async show(addresses: readonly string[], background: string): Promise<Shown[]> {
    const { page, edge, columns, fit } = this;
    const style = `body{margin:0;line-height:0;font-size:0;background:${background}}img{width:${edge}px;height:${edge}px;object-fit:${fit};object-position:${fit === 'none' ? '0 0' : '50% 50%'}}`;
    const pictures = addresses.map((address) => `<img src="${address}">`);
    await page.setContent(`<style>${style}</style>${pictures.join('')}`);
    const sizes = await page.evaluate(async () => {
      await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
      return [...document.images].map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]);
    });
    const screen = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
    return sizes.map(([width = 0, height = 0], index) => {
      const [left, top] = [(index % columns) * edge, Math.floor(index / columns) * edge];
      const rows = Array.from({ length: edge }, (_, y) => {
        const from = ((top + y) * columns * edge + left) * 3;
        return screen.subarray(from, from + edge * 3);
      });
      return { width, height, pixels: Buffer.concat(rows) };
    });
  }
}
