import type { Painter } from './pictures/drawing';
import type { PixelPainter } from './pictures/fractals';
import type { FramePainter } from './pictures/movies';
import type { PaletteName } from './pictures/palettes';
import type { Sketch } from './pictures/render';

/** A picture to paint, without its seed. */
export type Plan = { [Kind in keyof Kinds]: Kinds[Kind] }[keyof Kinds];
interface Kinds {
  readonly drawn: Unseeded<Extract<Sketch, { paint: Painter }>>;
  readonly pixels: Unseeded<Extract<Sketch, { pixels: PixelPainter }>>;
  readonly moving: Unseeded<Extract<Sketch, { frames: FramePainter }>>;
}
type Unseeded<Of> = Omit<Of, 'seed'>;

export const WIDE = { width: 1600, height: 1000 } as const;
export const TALL = { width: 1000, height: 1400 } as const;
export const SQUARE = { width: 1200, height: 1200 } as const;
const SMALL = { width: 480, height: 360 } as const;
const CLIP = { width: 854, height: 480 } as const;

export const photo = (paint: Painter, palette: PaletteName, size = WIDE as Size): Plan => ({
  paint,
  palette,
  format: 'jpg',
  ...size,
});
export const flat = (paint: Painter, palette: PaletteName, size = SQUARE as Size): Plan => ({
  paint,
  palette,
  format: 'png',
  ...size,
});
export const soft = (paint: Painter, palette: PaletteName, size = SQUARE as Size): Plan => ({
  paint,
  palette,
  format: 'webp',
  ...size,
});
export const pixels = (
  painter: PixelPainter,
  palette: PaletteName,
  format: 'jpg' | 'webp' = 'jpg',
): Plan => ({
  pixels: painter,
  palette,
  format,
  width: 1280,
  height: 800,
});
export const moving = (frames: FramePainter, palette: PaletteName, format: 'gif' | 'webp' | 'mp4'): Plan => ({
  frames,
  palette,
  format,
  ...(format === 'mp4' ? CLIP : SMALL),
});

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Oldest first. */
