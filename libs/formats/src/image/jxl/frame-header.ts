import type { CodestreamHeader } from './codestream-header';
import { JxlBitReader, skipExtensions, skipF16, skipName, type NameBits } from './jxl-bit-reader';

/** One frame of a codestream, by its header and table of contents (ISO/IEC 18181-1, annex F). */
export interface Frame {
  readonly isLast: boolean;
  /** Whether it is shown, rather than stored for others to refer to. */
  readonly isShown: boolean;
  readonly name: NameBits;
  /** Bytes from the frame's start to its end; undefined if the order of its sections is itself coded. */
  readonly size: number | undefined;
}

const REGULAR = 0;
const LOW_FREQUENCY = 1;
const REFERENCE_ONLY = 2;
const SKIP_PROGRESSIVE = 3;

const USES_LF_FRAME = 32;

// Blend modes.
const REPLACE = 0;
const BLEND = 2;
const ADD_WEIGHTED = 3;
const MULTIPLY = 4;

/** Reads a frame's header and table of contents from its first bytes. */
export function readFrame(bytes: Uint8Array, image: CodestreamHeader): Frame {
  const reader = new JxlBitReader(bytes);
  const isDefault = reader.flag();
  const header = isDefault ? defaultHeader(image) : new HeaderReader(reader, image).read();
  const entries = tocEntries(header);
  const isPermuted = reader.flag();
  if (isPermuted) return { ...header, size: undefined };
  reader.align();
  let size = 0;
  for (let i = 0; i < entries; i++) size += reader.u32([0, 10], [1024, 14], [17408, 22], [4211712, 30]);
  return { ...header, size: size + reader.align() };
}

interface Header {
  readonly isLast: boolean;
  readonly isShown: boolean;
  readonly name: NameBits;
  /** Coded pixels, before any upsampling. */
  readonly width: number;
  readonly height: number;
  readonly groupSize: number;
  readonly passes: number;
}

function defaultHeader({ width, height }: CodestreamHeader): Header {
  return { isLast: true, isShown: true, name: { from: 0, to: 0 }, width, height, groupSize: 256, passes: 1 };
}

/**
 * Number of sections of the frame: one; or one global, one for each large group, another global, and one for each
 * group and pass.
 */
function tocEntries({ width, height, groupSize, passes }: Header): number {
  const across = (size: number): number => Math.ceil(width / size) * Math.ceil(height / size);
  const groups = across(groupSize);
  return groups === 1 && passes === 1 ? 1 : 2 + across(groupSize * 8) + groups * passes;
}

class HeaderReader {
  constructor(
    private readonly reader: JxlBitReader,
    private readonly image: CodestreamHeader,
  ) {}

  read(): Header {
    const { reader, image } = this;
    const type = reader.bits(2);
    const isModular = reader.flag();
    const usesLfFrame = Math.floor(reader.u64() / USES_LF_FRAME) % 2 === 1;
    const isYcbcr = !image.isXyb && reader.flag();
    if (isYcbcr && !usesLfFrame) reader.bits(6);
    const upsampling = usesLfFrame ? 1 : this.upsampling();
    const groupSize = 128 << (isModular ? reader.bits(2) : 1);
    if (!isModular && image.isXyb) reader.bits(6);
    const passes = type === REFERENCE_ONLY ? 1 : this.passes();
    const reduction = type === LOW_FREQUENCY ? 8 ** reader.u32(1, 2, 3, 4) : 1;
    const crop = this.crop(type);
    const isNormal = type === REGULAR || type === SKIP_PROGRESSIVE;
    let [mode, duration, isLast] = [REPLACE, 0, false];
    if (isNormal) {
      mode = this.blending(crop.isFull);
      for (let i = 0; i < image.extraChannels; i++) this.blending(crop.isFull);
      if (image.isAnimated) duration = reader.u32(0, 1, [0, 8], [0, 32]);
      if (image.hasTimecodes) reader.bits(32);
      isLast = reader.flag();
    }
    const reference = type !== LOW_FREQUENCY && !isLast ? reader.bits(2) : 0;
    const canBeReferred = !isLast && type !== LOW_FREQUENCY && (duration === 0 || reference !== 0);
    if (type === REFERENCE_ONLY || (isNormal && crop.isFull && mode === REPLACE && canBeReferred))
      reader.flag();
    const name = skipName(reader);
    this.restorationFilter(isModular);
    skipExtensions(reader);
    return {
      isLast,
      isShown: isNormal && (isLast || duration > 0),
      name,
      width: Math.ceil(Math.ceil(crop.width / reduction) / upsampling),
      height: Math.ceil(Math.ceil(crop.height / reduction) / upsampling),
      groupSize,
      passes,
    };
  }

  private upsampling(): number {
    const colour = this.reader.u32(1, 2, 4, 8);
    for (let i = 0; i < this.image.extraChannels; i++) this.reader.u32(1, 2, 4, 8);
    return colour;
  }

  private passes(): number {
    const { reader } = this;
    const passes = reader.u32(1, 2, 3, [4, 3]);
    if (passes === 1) return 1;
    const downsamplings = reader.u32(0, 1, 2, [3, 1]);
    reader.bits(2 * (passes - 1));
    for (let i = 0; i < downsamplings; i++) reader.u32(1, 2, 4, 8);
    for (let i = 0; i < downsamplings; i++) reader.u32(0, 1, 2, [0, 3]);
    return passes;
  }

  private crop(type: number): { width: number; height: number; isFull: boolean } {
    const { reader, image } = this;
    const isCropped = type !== LOW_FREQUENCY && reader.flag();
    if (!isCropped) return { width: image.width, height: image.height, isFull: true };
    const number = (): number => reader.u32([0, 8], [256, 11], [2304, 14], [18688, 30]);
    // Signed numbers alternate: 0, -1, 1, -2 …
    const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    const [x, y] = type === REFERENCE_ONLY ? [0, 0] : [signed(number()), signed(number())];
    const [width, height] = [number(), number()];
    const isFull = x <= 0 && y <= 0 && x + width >= image.width && y + height >= image.height;
    return { width, height, isFull };
  }

  /** Skips the blending of the frame, or of one of its extra channels. Returns the mode. */
  private blending(isFull: boolean): number {
    const { reader, image } = this;
    const mode = reader.u32(0, 1, 2, [3, 2]);
    const usesAlpha = image.extraChannels > 0 && (mode === BLEND || mode === ADD_WEIGHTED);
    if (usesAlpha) reader.u32(0, 1, 2, [3, 3]);
    if (usesAlpha || mode === MULTIPLY) reader.flag();
    if (mode !== REPLACE || !isFull) reader.bits(2);
    return mode;
  }

  private restorationFilter(isModular: boolean): void {
    const { reader } = this;
    const isDefault = reader.flag();
    if (isDefault) return;
    const isGabor = reader.flag();
    if (isGabor && reader.flag()) skipF16(reader, 6);
    const iterations = reader.bits(2);
    if (iterations > 0) {
      if (!isModular && reader.flag()) skipF16(reader, 8);
      if (reader.flag()) skipF16(reader, 5);
      if (reader.flag()) skipF16(reader, isModular ? 3 : 4);
      if (isModular) skipF16(reader, 1);
    }
    skipExtensions(reader);
  }
}
