/** GIF's LZW (GIF89a, appendix F): codes of up to 12 bits, from the lowest bit on. */
const MAX_BITS = 12;
const MAX_CODES = 1 << MAX_BITS;
const NONE = -1;

/** What a stream of codes holds. */
export interface LzwContent {
  readonly pixels: number;
  /** The highest number of a colour. */
  readonly highest: number;
  /** Whether all codes are valid, and only zeros follow the end code. It may be missing. */
  readonly isValid: boolean;
}

/**
 * Reads a stream of codes piece by piece, without its pixels unless `target` is given: the time depends on the length of the
 * stream, not on the number of pixels.
 */
export class LzwReader {
  private readonly clear: number;
  private readonly lengths = new Uint32Array(MAX_CODES);
  private readonly highests = new Uint8Array(MAX_CODES);
  private readonly firsts = new Uint8Array(MAX_CODES);
  private readonly lasts = new Uint8Array(MAX_CODES);
  private readonly prefixes = new Uint16Array(MAX_CODES);
  private held = 0;
  private bits = 0;
  private width: number;
  private next: number;
  private previous = NONE;
  private pixels = 0;
  private highest = 0;
  private isOver = false;
  private isBroken = false;

  /** `codeSize`: bits of a colour's number, 2 to 8. Pixels beyond the end of `target` are left out. */
  constructor(
    private readonly codeSize: number,
    private readonly target?: Uint8Array,
  ) {
    this.clear = 1 << codeSize;
    this.width = codeSize + 1;
    this.next = this.clear + 2;
    for (let code = 0; code < this.clear; code++) {
      this.lengths[code] = 1;
      this.highests[code] = this.firsts[code] = this.lasts[code] = code;
    }
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.isBroken) return;
      if (this.isOver) {
        this.isBroken = bytes[at] !== 0;
        continue;
      }
      this.held |= (bytes[at] ?? 0) << this.bits;
      this.bits += 8;
      while (this.bits >= this.width && !this.isOver && !this.isBroken) {
        const code = this.held & ((1 << this.width) - 1);
        this.held >>>= this.width;
        this.bits -= this.width;
        this.take(code);
      }
    }
  }

  get content(): LzwContent {
    return { pixels: this.pixels, highest: this.highest, isValid: !this.isBroken };
  }

  private take(code: number): void {
    const { clear } = this;
    if (code === clear) {
      this.width = this.codeSize + 1;
      this.next = clear + 2;
      this.previous = NONE;
    } else if (code === clear + 1) this.isOver = true;
    else if (code < this.next || (code === this.next && this.previous !== NONE && code < MAX_CODES))
      this.show(code);
    else this.isBroken = true;
  }

  private show(code: number): void {
    const { previous, next } = this;
    if (previous === NONE && code > this.clear) {
      this.isBroken = true;
      return;
    }
    if (previous !== NONE && next < MAX_CODES) {
      const last = this.firsts[code === next ? previous : code] ?? 0;
      this.lengths[next] = (this.lengths[previous] ?? 0) + 1;
      this.highests[next] = Math.max(this.highests[previous] ?? 0, last);
      this.firsts[next] = this.firsts[previous] ?? 0;
      this.lasts[next] = last;
      this.prefixes[next] = previous;
      this.next++;
      if (this.next === 1 << this.width && this.width < MAX_BITS) this.width++;
    }
    if (this.target) this.write(this.target, code);
    this.pixels += this.lengths[code] ?? 0;
    if ((this.highests[code] ?? 0) > this.highest) this.highest = this.highests[code] ?? 0;
    this.previous = code;
  }

  private write(target: Uint8Array, code: number): void {
    let entry = code;
    for (let left = this.lengths[code] ?? 0; left > 0; left--) {
      target[this.pixels + left - 1] = this.lasts[entry] ?? 0;
      entry = this.prefixes[entry] ?? 0;
    }
  }
}

/** Compresses the numbers of colours, which have at most `codeSize` bits. */
export function encodeLzw(indices: Uint8Array, codeSize: number): Uint8Array {
  const clear = 1 << codeSize;
  // Every code stands for a pixel at least, and no code is longer than two bytes.
  const out = new Uint8Array(2 * indices.length + 16);
  let [length, held, bits, width, next] = [0, 0, 0, codeSize + 1, clear + 2];
  const put = (code: number): void => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8, held >>>= 8) out[length++] = held & 0xff;
  };
  let codes = new Map<number, number>();
  put(clear);
  let current = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const index = indices[at] ?? 0;
    const key = (current << 8) | index;
    const known = codes.get(key);
    if (known !== undefined) {
      current = known;
      continue;
    }
    put(current);
    current = index;
    if (next < MAX_CODES) {
      if (next === 1 << width) width++;
      codes.set(key, next++);
    } else {
      put(clear);
      codes = new Map();
      [width, next] = [codeSize + 1, clear + 2];
    }
  }
  if (indices.length > 0) put(current);
  // The decoder has added one more code by now.
  if (next === 1 << width && width < MAX_BITS) width++;
  put(clear + 1);
  if (bits > 0) out[length++] = held & 0xff;
  return out.subarray(0, length);
}
