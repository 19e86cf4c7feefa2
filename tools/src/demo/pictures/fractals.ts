import { between, type Canvas, ripple } from './drawing';
import { shade } from './palettes';

/** Three bytes a pixel, row by row. */
export type Pixels = Uint8Array<ArrayBuffer>;
/** Makes a picture pixel by pixel. */
export type PixelPainter = (canvas: Canvas) => Pixels;

const MAX_STEPS = 220;

/** Interesting places at the edge of the Mandelbrot set: centre and width of the view. */
const PLACES = {
  seahorses: { x: -0.7436, y: 0.1318, view: 0.012 },
  elephants: { x: 0.2925, y: 0.0149, view: 0.022 },
  whole: { x: -0.55, y: 0, view: 4.4 },
} as const;

/** Parameters of well-shaped Julia sets. */
const JULIA = {
  lightning: { x: -0.8, y: 0.156 },
  spirals: { x: 0.285, y: 0.01 },
  rabbits: { x: -0.4, y: 0.6 },
  dust: { x: -0.70176, y: -0.3842 },
} as const;

export const mandelbrot =
  (place: keyof typeof PLACES): PixelPainter =>
  (canvas) => {
    const middle = PLACES[place];
    return escape(canvas, middle.view, (x, y) => [0, 0, middle.x + x, middle.y + y]);
  };

export const julia =
  (shape: keyof typeof JULIA): PixelPainter =>
  (canvas) => {
    const constant = JULIA[shape];
    return escape(canvas, 3, (x, y) => [x, y, constant.x, constant.y]);
  };

/** Veins as in marble: noise that is distorted by noise. */
export const marble: PixelPainter = (canvas) => {
  const { width, height, random } = canvas;
  const waves = Array.from({ length: 6 }, () => ripple(random, 4));
  const [a, b, c, d, e, g] = waves as [Wave, Wave, Wave, Wave, Wave, Wave];
  const slant = between(random, -1.5, 1.5);
  return fill(canvas, (px, py) => {
    const [x, y] = [(px / width) * 3.2, (py / height) * 2.2];
    const [bx, by] = [x + a(y * 1.7) + 0.6 * b(x * 2.3 + y), y + c(x * 1.4) + 0.6 * d(y * 2.1 - x)];
    return 0.5 + 0.5 * Math.sin(5 * (e(bx * 1.3 + slant * by) + g(by * 1.6 - bx)));
  });
};

type Wave = (at: number) => number;

/** A smooth count of how fast z² + c escapes (the escape-time algorithm); the inside stays dark. */
function escape(
  canvas: Canvas,
  view: number,
  start: (x: number, y: number) => readonly [zx: number, zy: number, cx: number, cy: number],
): Pixels {
  const { width, height, random } = canvas;
  const scale = view / width;
  const phase = between(random, 0, 1);
  return fill(canvas, (px, py) => {
    const [x, y, cx, cy] = start((px - width / 2) * scale, (py - height / 2) * scale);
    let [zx, zy] = [x, y];
    let step = 0;
    let squares = 0;
    for (; step < MAX_STEPS && squares < 256; step++) {
      const next = zx * zx - zy * zy + cx;
      zy = 2 * zx * zy + cy;
      zx = next;
      squares = zx * zx + zy * zy;
    }
    if (step === MAX_STEPS) return 0;
    const smooth = step + 1 - Math.log2(Math.log2(squares) / 2);
    return 0.12 + 0.88 * (0.5 + 0.5 * Math.sin(Math.sqrt(smooth) * 1.35 + phase * 6));
  });
}

function fill({ width, height, palette }: Canvas, valueAt: (x: number, y: number) => number): Pixels {
  const colours = Array.from({ length: 512 }, (_, i) => shade(palette, i / 511));
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      pixels.set(colours[Math.min(511, Math.max(0, Math.floor(valueAt(x, y) * 512)))] ?? [0, 0, 0], at);
    }
  }
  return pixels;
}
