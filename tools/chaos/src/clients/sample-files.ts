import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Random } from '@vitrine/demo/random';

export interface SampleFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** False for a file that can't be decoded, though the upload may accept it. */
  readonly decodable: boolean;
}

/** Of sixteen files on average: eight JPEG, four PNG, two GIF, one broken PNG, and one MP4 if there is an ffmpeg. */
const KINDS = [
  ...Array<'jpeg'>(8).fill('jpeg'),
  ...Array<'png'>(4).fill('png'),
  'gif',
  'gif',
  'broken',
  'video',
] as const;

/** Makes small files of many kinds, each one different. */
export class SampleFiles {
  private count = 0;

  private constructor(private readonly video: Buffer | undefined) {}

  /** Encodes the one video; without ffmpeg there are only pictures. */
  static async create(): Promise<SampleFiles> {
    return new SampleFiles(await encodeVideo());
  }

  get hasVideo(): boolean {
    return this.video !== undefined;
  }

  async next(random: Random): Promise<SampleFile> {
    const index = this.count++;
    const kind = random.pick(KINDS);
    if (kind === 'video' && this.video) {
      return { name: `${index}.mp4`, bytes: withFreeBox(this.video, index), decodable: true };
    }
    if (kind === 'gif') return { name: `${index}.gif`, bytes: await animation(random), decodable: true };
    if (kind === 'png') {
      return { name: `${index}.png`, bytes: await drawing(random).png().toBuffer(), decodable: true };
    }
    if (kind === 'broken') {
      const png = await drawing(random).png().toBuffer();
      // In the middle of the compressed pixels; the header stays valid.
      png.fill(0xff, Math.floor(png.length / 2), Math.floor(png.length / 2) + 64);
      return { name: `${index}.png`, bytes: png, decodable: false };
    }
    return this.jpeg(index, random);
  }

  /** A picture that can be decoded. */
  picture(random: Random): Promise<SampleFile> {
    return this.jpeg(this.count++, random);
  }

  /** A tiny picture, for when only the number of uploads matters. */
  async thumbnail(random: Random): Promise<SampleFile> {
    const pixels = Uint8Array.from({ length: 16 * 12 * 3 }, () => random.integer(0, 255));
    const bytes = await sharp(pixels, { raw: { width: 16, height: 12, channels: 3 } })
      .png()
      .toBuffer();
    return { name: `${this.count++}.png`, bytes, decodable: true };
  }

  private async jpeg(index: number, random: Random): Promise<SampleFile> {
    return { name: `${index}.jpg`, bytes: await drawing(random).jpeg().toBuffer(), decodable: true };
  }
}

/** Four coloured stripes with a little noise, 200 to 1,600 pixels wide. */
function drawing(random: Random): sharp.Sharp {
  const [width, height] = [random.integer(200, 1600), random.integer(150, 1200)];
  const coarse = { width: 8, height: 6 };
  const pixels = Uint8Array.from({ length: coarse.width * coarse.height * 3 }, () => random.integer(0, 255));
  return sharp(pixels, { raw: { ...coarse, channels: 3 } }).resize(width, height, {
    fit: 'fill',
    kernel: 'cubic',
  });
}

async function animation(random: Random): Promise<Buffer> {
  const [width, height, frames] = [random.integer(40, 200), random.integer(40, 200), random.integer(2, 6)];
  const pixels = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame++) {
    const colour = [random.integer(0, 255), random.integer(0, 255), random.integer(0, 255)];
    pixels.fill(Buffer.from(colour), frame * width * height * 3, (frame + 1) * width * height * 3);
  }
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: Array<number>(frames).fill(100) })
    .toBuffer();
}

/** Appends a `free` box, which makes equal videos different files. */
function withFreeBox(video: Buffer, index: number): Buffer {
  const box = Buffer.alloc(16);
  box.writeUInt32BE(16, 0);
  box.write('free', 4, 'latin1');
  box.writeUInt32BE(index, 8);
  return Buffer.concat([video, box]);
}

/** One second of H.264 in MP4, made by the system's ffmpeg; undefined if that fails. */
async function encodeVideo(): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-video-'));
  const file = join(folder, 'sample.mp4');
  try {
    const status = await new Promise((resolve) => {
      const args =
        '-v error -f lavfi -i testsrc2=size=320x240:rate=15:duration=1 -pix_fmt yuv420p -c:v libx264';
      const child = spawn('ffmpeg', [...args.split(' '), '-movflags', '+faststart', file], {
        stdio: 'ignore',
      });
      child.on('error', () => resolve(1));
      child.on('exit', resolve);
    });
    return status === 0 ? await readFile(file) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
