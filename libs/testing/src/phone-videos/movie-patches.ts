/** A part of a track that an edit list shows, in units of the movie's and the track's time scale. */
export interface Edit {
  readonly duration: number;
  /** -1: nothing is shown for that long. */
  readonly mediaTime: number;
}

/**
 * An MP4 whose display matrix has this upper left (ISO/IEC 14496-12, 8.3.2: 40 bytes into a `tkhd` of version 0). It is
 * changed in the first track, where ffmpeg puts the picture.
 */
export function withMatrix(file: Buffer, [a, b, c, d]: readonly [number, number, number, number]): Buffer {
  const patched = Buffer.from(file);
  const matrix = patched.indexOf('tkhd') + 4 + 40;
  for (const [index, value] of [a, b, 0, c, d].entries()) {
    patched.writeInt32BE(value * 65_536, matrix + index * 4);
  }
  return patched;
}

/**
 * An MP4 whose tracks each show these edits only, in the order of the tracks; each already has an edit list, and the
 * movie header comes last, as ffmpeg writes both.
 */
export function withEdits(file: Buffer, tracks: readonly (readonly Edit[])[]): Buffer {
  let patched = Buffer.from(file);
  let from = patched.lastIndexOf('moov');
  for (const edits of tracks) {
    const trak = patched.indexOf('trak', from) - 4;
    const edts = patched.indexOf('edts', trak) - 4;
    const next = patched.indexOf('trak', trak + 8);
    if (trak < 0 || edts < 0 || (next > 0 && edts > next)) throw new Error('A track without an edit list');
    const fresh = editBox(edits);
    const grown = fresh.length - patched.readUInt32BE(edts);
    patched = Buffer.concat([
      patched.subarray(0, edts),
      fresh,
      patched.subarray(edts + patched.readUInt32BE(edts)),
    ]);
    for (const box of [trak, patched.lastIndexOf('moov') - 4]) {
      patched.writeUInt32BE(patched.readUInt32BE(box) + grown, box);
    }
    from = trak + 8;
  }
  return patched;
}

/** The file with every occurrence of a name or code replaced by another one of the same length. */
export function withNames(file: Buffer, names: Readonly<Record<string, string>>): Buffer {
  let text = file.toString('latin1');
  for (const [from, to] of Object.entries(names)) text = text.replaceAll(from, to);
  return Buffer.from(text, 'latin1');
}

/** ISO/IEC 14496-12, 8.6.5 and 8.6.6. */
function editBox(edits: readonly Edit[]): Buffer {
  const box = Buffer.alloc(24 + edits.length * 12);
  box.writeUInt32BE(box.length, 0);
  box.write('edts', 4, 'latin1');
  box.writeUInt32BE(box.length - 8, 8);
  box.write('elst', 12, 'latin1');
  box.writeUInt32BE(edits.length, 20);
  for (const [index, { duration, mediaTime }] of edits.entries()) {
    const at = 24 + index * 12;
    box.writeUInt32BE(duration, at);
    box.writeInt32BE(mediaTime, at + 4);
    box.writeUInt32BE(0x10000, at + 8);
  }
  return box;
}
