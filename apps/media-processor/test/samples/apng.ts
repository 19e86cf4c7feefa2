import { crc32 } from 'node:zlib';

function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  bytes.writeUInt32BE(body.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** Length, type, body, checksum. */
function* chunksOf(png: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    yield {
      type: png.toString('latin1', at + 4, at + 8),
      body: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    };
  }
}

export interface SampleFrame {
  /** A still PNG of this part of the canvas. All have the same colour type. */
  readonly png: Buffer;
  readonly left?: number;
  readonly top?: number;
  readonly delay: [numerator: number, denominator: number];
  readonly dispose?: 0 | 1 | 2;
  readonly blend?: 0 | 1;
}

/** Joins still PNGs into an animated one. The first has the size of the canvas. */
export function makeApng(frames: readonly SampleFrame[], plays: number): Buffer {
  const out: Buffer[] = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')];
  let sequence = 0;
  for (const [index, frame] of frames.entries()) {
    const chunks = [...chunksOf(frame.png)];
    const header = chunks[0]?.body as Buffer;
    if (index === 0) {
      const control = Buffer.alloc(8);
      control.writeUInt32BE(frames.length, 0);
      control.writeUInt32BE(plays, 4);
      out.push(chunk('IHDR', header), chunk('acTL', control));
    }
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt32BE(frame.left ?? 0, 12);
    control.writeUInt32BE(frame.top ?? 0, 16);
    control.writeUInt16BE(frame.delay[0], 20);
    control.writeUInt16BE(frame.delay[1], 22);
    control.writeUInt8(frame.dispose ?? 0, 24);
    control.writeUInt8(frame.blend ?? 0, 25);
    out.push(chunk('fcTL', control));
    for (const { body } of chunks.filter(({ type }) => type === 'IDAT')) {
      const number = Buffer.alloc(4);
      if (index > 0) number.writeUInt32BE(sequence++);
      out.push(index === 0 ? chunk('IDAT', body) : chunk('fdAT', Buffer.concat([number, body])));
    }
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}
