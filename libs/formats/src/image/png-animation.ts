import { Cursor } from '../bytes/cursor';
import type { Size } from '../facts/displayed-size';

/** The only valid lengths of control chunks. Programs read others in several ways, or not at all. */
export const ANIMATION_BYTES: ReadonlyMap<string, number> = new Map([
  ['acTL', 8],
  ['fcTL', 26],
]);
/** Numbers in animations have 31 bits. */
const MAX_NUMBER = 0x7fffffff;

export const isAnimationChunk = (type: string): boolean => ANIMATION_BYTES.has(type) || type === 'fdAT';

/**
 * Checks an animation by W3C PNG, third edition, 11.3.6, chunk by chunk. Browsers stop at the first frame that is not valid,
 * or show the default picture; other programs go on.
 */
export class PngAnimation {
  private isValid = true;
  private claimed = 0;
  private counted = 0;
  private nextNumber = 0;
  private hasPixels = false;
  /** Whether the last `fcTL` still has no data. */
  private lacksData = false;
  /** Whether the last `fcTL` describes the default picture. */
  private isDefault = false;

  constructor(private readonly canvas: Size) {}

  /** Frames of a valid animation; 0 if there is none. */
  get frames(): number {
    return this.isValid && !this.lacksData && this.counted === this.claimed ? this.counted : 0;
  }

  /** Whether the file holds any chunk of an animation. */
  get isBegun(): boolean {
    return this.claimed > 0 || this.counted > 0 || this.nextNumber > 0 || !this.isValid;
  }

  /** `content` is undefined if the length or the checksum of the chunk is wrong. */
  control(type: string, content: Uint8Array | undefined): void {
    if (!content || content.length !== ANIMATION_BYTES.get(type)) this.isValid = false;
    else if (type === 'acTL') this.begin(new Cursor(content));
    else this.frame(new Cursor(content));
  }

  /** An `IDAT`. `isNext`: no other chunk was between it and the one before. */
  pixels(isNext: boolean): void {
    if (this.hasPixels && !isNext) this.isValid = false;
    if (!this.hasPixels && this.lacksData) this.isDefault = true;
    this.hasPixels = true;
    this.lacksData = false;
  }

  /** An `fdAT` with this number; undefined if it is damaged. */
  data(number: number | undefined): void {
    this.isValid &&= number === this.nextNumber && this.hasPixels && this.counted > 0 && !this.isDefault;
    this.nextNumber++;
    this.lacksData = false;
  }

  private begin(cursor: Cursor): void {
    this.isValid &&= this.claimed === 0 && !this.hasPixels && this.counted === 0;
    this.claimed = cursor.u32();
    const repetitions = cursor.u32();
    this.isValid &&= this.claimed > 0 && this.claimed <= MAX_NUMBER && repetitions <= MAX_NUMBER;
  }

  private frame(cursor: Cursor): void {
    const number = cursor.u32();
    const [width, height, left, top] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()];
    cursor.position += 4;
    const [dispose, blend] = [cursor.u8(), cursor.u8()];
    const isWithin =
      width > 0 && height > 0 && left + width <= this.canvas.width && top + height <= this.canvas.height;
    const isWhole = width === this.canvas.width && height === this.canvas.height;
    this.isValid &&=
      this.claimed > 0 &&
      number === this.nextNumber &&
      !this.lacksData &&
      isWithin &&
      (this.hasPixels || isWhole) &&
      dispose <= 2 &&
      blend <= 1;
    this.nextNumber++;
    this.counted++;
    this.lacksData = true;
    this.isDefault = false;
  }
}
