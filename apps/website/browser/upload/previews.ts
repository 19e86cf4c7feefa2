/** Bytes above which a picture isn't decoded just for its small image. */
const MOST_BYTES = 40_000_000;
/** Pixels of the tile's edge, for screens with two to a CSS pixel. */
const EDGE = 144;

/**
 * Draws small pictures of files into canvases as they come into view, one at a time, so that hundreds of photos don't
 * sit decoded in memory. What the browser can't decode (HEIC, videos, most of what isn't for the web) keeps its tile.
 */
export class Previews {
  private line: Promise<void> = Promise.resolve();
  private readonly wanted = new WeakMap<Element, () => void>();
  private readonly observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        this.observer.unobserve(target);
        this.wanted.get(target)?.();
      }
    },
    { rootMargin: '200px' },
  );

  /** Once `tile` is seen. */
  drawWhenSeen(tile: HTMLElement, canvas: HTMLCanvasElement, file: File): void {
    if (!file.type.startsWith('image/') || file.size > MOST_BYTES) return;
    this.wanted.set(tile, () => {
      this.line = this.line.then(() => draw(canvas, file)).catch(() => undefined);
    });
    this.observer.observe(tile);
  }
}

async function draw(canvas: HTMLCanvasElement, file: File): Promise<void> {
  if (!canvas.isConnected) return;
  const picture = await createImageBitmap(file, { resizeWidth: EDGE * 2, resizeQuality: 'medium' });
  try {
    const { width, height } = picture;
    // The middle, as large as fits.
    const side = Math.min(width, height);
    canvas.width = canvas.height = EDGE;
    canvas
      .getContext('2d')
      ?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, EDGE, EDGE);
    canvas.hidden = false;
  } finally {
    picture.close();
  }
}
