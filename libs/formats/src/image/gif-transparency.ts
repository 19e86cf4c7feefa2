/** Place of a picture on the canvas, in pixels. */
export interface GifArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What a GIF says of one frame. */
export interface GifFrame extends GifArea {
  /** Entries of the frame's table of colours; 0 if there is none. */
  readonly colours: number;
  /** Bits of a colour's number, before compression. Some programs always write 8. */
  readonly codeSize: number;
  /** The graphic control block with introducer and label; undefined if the frame has none. */
  readonly control: Uint8Array | undefined;
}

/** Positions in the graphic control block (GIF89a, 23). */
const [FLAGS_AT, COLOUR_AT] = [3, 6];
const HAS_TRANSPARENCY = 1;
const CLEARS = 2;
const RESTORES = 3;
/** What the reserved disposals mean to decoders: 4 is 3 in some descriptions of the format. */
const DISPOSALS: readonly number[] = [0, 1, CLEARS, RESTORES, RESTORES, 0, 0, 0];
/** The graphic control block with these four bytes, with a disposal that is defined and no reserved bits. */
export function graphicControl([flags = 0, ...rest]: Uint8Array): Uint8Array {
  const disposal = DISPOSALS[(flags >> 2) & 7] ?? 0;
  return Uint8Array.of(0x21, 0xf9, 4, (disposal << 2) | (flags & 3), ...rest, 0);
}

/** A graphic control block without any effect. */
const EMPTY_CONTROL = Uint8Array.of(0x21, 0xf9, 4, 0, 0, 0, 0, 0);
/** No pixel can have this colour if the code size is smaller than 8, and none should if the table of colours is shorter. */
const UNUSED_COLOUR = 255;

/**
 * Makes libvips show the canvas of a GIF as browsers do. Where nothing was drawn, or a frame was cleared, browsers show
 * the page. libvips does so only if the file, or the frame that is cleared, declares a transparent colour; otherwise it
 * shows black. Frames are given to `declare` in their order.
 */
export class GifTransparency {
  private isFirst = true;
  /** Whether the canvas may be empty somewhere although no frame clears it. */
  private beginsEmpty = false;
  private isDeclared = false;
  /** The area that libvips fills with a colour before the next frame. */
  private filled: GifArea | undefined;
  private showsFilled = false;
  private hasAdded = false;

  /** `canvas`: pixels of the whole GIF. Returns the graphic control block to write for the frame. */
  declare(
    frame: GifFrame,
    canvas: { readonly width: number; readonly height: number },
  ): Uint8Array | undefined {
    const { colours, codeSize, control = EMPTY_CONTROL } = frame;
    const disposal = ((control[FLAGS_AT] ?? 0) >> 2) & 7;
    const wasDeclared = ((control[FLAGS_AT] ?? 0) & HAS_TRANSPARENCY) !== 0;
    if (this.filled) this.showsFilled ||= wasDeclared || !covers(frame, this.filled);
    const isUndone = disposal === RESTORES;
    const isEmptyAtFirst = isUndone || !covers(frame, { left: 0, top: 0, ...canvas });
    this.beginsEmpty ||= this.isFirst && isEmptyAtFirst;
    this.isFirst = false;
    const isNeeded = disposal === CLEARS || (this.beginsEmpty && !this.isDeclared);
    const hasUnused = codeSize < 8 || (colours > 0 && colours <= UNUSED_COLOUR);
    const declares = isNeeded && !wasDeclared && hasUnused;
    this.isDeclared ||= wasDeclared || declares;
    this.hasAdded ||= declares;
    if (disposal === CLEARS) this.filled = wasDeclared || declares ? undefined : frame;
    // What an undone frame has covered is visible again.
    else if (!isUndone) this.filled = undefined;
    return declares ? withUnusedColour(control) : frame.control;
  }

  /**
   * Whether libvips shows a colour where browsers show the page: all 256 colours may be used, or a declaration that was
   * added is not in the file, because an earlier release has scrubbed it.
   */
  get isAmbiguous(): boolean {
    return this.hasAdded || this.showsFilled || (this.beginsEmpty && !this.isDeclared);
  }
}

function withUnusedColour(control: Uint8Array): Uint8Array {
  const declared = Uint8Array.from(control);
  declared[FLAGS_AT] = (declared[FLAGS_AT] ?? 0) | HAS_TRANSPARENCY;
  declared[COLOUR_AT] = UNUSED_COLOUR;
  return declared;
}

const covers = (area: GifArea, other: GifArea): boolean =>
  area.left <= other.left &&
  area.top <= other.top &&
  area.left + area.width >= other.left + other.width &&
  area.top + area.height >= other.top + other.height;
