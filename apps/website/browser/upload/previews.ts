/** Pictures above this size in bytes are not decoded for a thumbnail. */
const MAX_BYTES = 40_000_000;
/** Edge of a tile in pixels, for screens with two pixels per CSS pixel. */
const EDGE = 144;

/**
 * Draws thumbnails of files when they come into view, one at a time, so that memory doesn't fill with decoded photos.
 * Files that the browser can't decode (HEIC, videos and others) keep their placeholder.
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

  /** Draws the thumbnail when `tile` becomes visible. */
  drawWhenSeen(tile: HTMLElement, canvas: HTMLCanvasElement, file: File): void {
    if (!file.type.startsWith('image/') || file.size > MAX_BYTES) return;
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
    // Draws the largest centred square.
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
