import { readFile } from 'node:fs/promises';
import { H264, latin, type ForbiddenTargets, type HostileFile } from './hostile-file';
import type { Bench } from './jobs';

export async function hostileVideos(
  bench: Bench,
  { video: target }: ForbiddenTargets,
): Promise<HostileFile[]> {
  const whole = await readFile(
    bench.make('whole.mov', '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.5:r=10', ...H264),
  );
  const video = (what: string, bytes: Buffer, outcome: HostileFile['outcome']): HostileFile => ({
    ...{ what, kind: 'video', format: 'mp4', bytes, outcome },
  });
  const oversized = Buffer.from(whole);
  const sampleEntry = oversized.indexOf('avc1', oversized.indexOf('stsd')) + 4;
  oversized.writeUInt16BE(65_535, sampleEntry + 24);
  oversized.writeUInt16BE(65_535, sampleEntry + 26);
  const overlong = Buffer.from(whole);
  const header = overlong.indexOf('mvhd') + 4;
  overlong.writeUInt32BE(1, header + 12);
  overlong.writeUInt32BE(0x7fffffff, header + 16);
  const crowded = Buffer.from(whole);
  crowded.writeUInt32BE(0x3fffffff, crowded.indexOf('stsz') + 12);
  return [
    video('a video whose samples are in another file', withForeignSamples(whole, target), 'either'),
    video('a video whose header says 65,535 × 65,535', oversized, 'either'),
    video('a video whose header says that it lasts 68 years', overlong, 'harmless'),
    video('a video whose header says that it has a thousand million samples', crowded, 'either'),
    video('a video without its second half', whole.subarray(0, whole.length / 2), 'refused'),
    video('a header without samples', whole.subarray(0, 200), 'refused'),
    video('noise called a video', Buffer.alloc(5000, 'noise'), 'refused'),
    { ...video('noise called MPEG', Buffer.alloc(50_000, 'noise'), 'refused'), format: 'mpegts' },
  ];
}

/**
 * An AVI with one stream of subtitles, whose only packet is a playlist (`GAB2`). ffmpeg opens it with any demuxer
 * that fits.
 */
export function gab2Avi(playlist: Buffer): Buffer {
  const chunk = (name: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const header = Buffer.alloc(8);
    header.write(name, 0, 'latin1');
    header.writeUInt32LE(body.length, 4);
    return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
  };
  const list = (name: string, ...parts: Buffer[]): Buffer => chunk('LIST', latin(name), ...parts);
  const main = Buffer.alloc(56);
  main.writeUInt32LE(1_000_000, 0);
  main.writeUInt32LE(1, 16);
  main.writeUInt32LE(1, 24);
  const stream = Buffer.alloc(56);
  stream.write('txts', 0, 'latin1');
  stream.writeUInt32LE(1, 20);
  stream.writeUInt32LE(1, 24);
  stream.writeUInt32LE(1, 32);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(playlist.length);
  const subtitles = Buffer.concat([latin('GAB2\0\x02\0\0\0\0\0\x04\0'), length, playlist]);
  return chunk(
    'RIFF',
    latin('AVI '),
    list('hdrl', chunk('avih', main), list('strl', chunk('strh', stream), chunk('strf', Buffer.alloc(40)))),
    list('movi', chunk('00tx', subtitles)),
  );
}

/** A QuickTime file whose data reference (`dref`) is an alias of another file instead of itself. */
function withForeignSamples(file: Buffer, path: string): Buffer {
  const alias = Buffer.alloc(150);
  alias.writeUInt8(4, 10);
  alias.write('Disk', 11, 'latin1');
  const name = Buffer.concat([u16(2), u16(path.length), latin(path), u16(0xffff), u16(0)]);
  const entry = atomOf('alis', Buffer.concat([Buffer.alloc(4), alias, name]));
  const references = atomOf('dref', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry]));
  return replaceAtom(file, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], references);
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function atomOf(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

/** The file with every atom at this path replaced. The samples come before the index, so that no offset moves. */
function replaceAtom(atoms: Buffer, [type = '', ...inner]: readonly string[], replacement: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at + 8 <= atoms.length; at += atoms.readUInt32BE(at)) {
    const whole = atoms.subarray(at, at + atoms.readUInt32BE(at));
    if (whole.toString('latin1', 4, 8) !== type) out.push(whole);
    else if (inner.length === 0) out.push(replacement);
    else out.push(atomOf(type, replaceAtom(whole.subarray(8), inner, replacement)));
  }
  return Buffer.concat(out);
}
