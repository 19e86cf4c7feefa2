import type { ByteRange } from '../../bytes/byte-ranges';

/** Frames of DV consist of blocks (IEC 61834-2, SMPTE 314M). The first three bits of a block are its section. */
const BLOCK = 80;
const [HEADER, SUBCODE, AUXILIARY, SOUND] = [0, 1, 2, 3];
/** Bytes of a block's identification, and of a pack: its type, and four bytes. */
const IDENTIFICATION = 3;
const PACK = 5;

/**
 * Packs that decoders use: source and control of sound and picture, and the time code. Others hold dates, times, places, texts and
 * what the camera did.
 */
const KEPT_PACKS: ReadonlySet<number> = new Set([0x13, 0x50, 0x51, 0x60, 0x61]);

/** Bytes of the header that say which frame this is. */
const HEADER_FIELDS = 8;

/** Where packs lie in a block: in the subcode, each follows another identification. */
const PACKS: readonly (readonly number[])[] = [
  [],
  Array.from({ length: 6 }, (_, at) => IDENTIFICATION + at * 8 + IDENTIFICATION),
  Array.from({ length: 15 }, (_, at) => IDENTIFICATION + at * PACK),
  [IDENTIFICATION],
];

/** The ranges to overwrite with 0xff, which means no information, in a frame of DV. */
export function* dvNotes(frame: Uint8Array): Generator<ByteRange> {
  for (let block = 0; block + BLOCK <= frame.length; block += BLOCK) {
    const section = (frame[block] ?? 0) >> 5;
    if (section > SOUND) continue;
    for (const at of PACKS[section] ?? [])
      if (!KEPT_PACKS.has(frame[block + at] ?? 0)) yield { from: block + at, to: block + at + PACK };
    const rest =
      section === HEADER ? HEADER_FIELDS : section === SUBCODE ? 51 : section === AUXILIARY ? 78 : BLOCK;
    if (rest < BLOCK) yield { from: block + rest, to: block + BLOCK };
  }
}
