import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withEdits } from '@vitrine/testing';
import sharp from 'sharp';
import { makeApng } from '../../test/samples/apng';
import { makeHeic, makeHeif, tilesOfAvif } from '../../test/samples/heic';
import { stored } from '../../test/samples/stored';
import { HEIGHT, SEEN, useBannedPicture, WIDTH } from '../../test/samples/banned-picture';
import { scanVideo } from '../video/video-scan';
import { FEW_PICTURES } from '../../test/samples/hevc';

describe('a banned picture in a file that hides it', () => {
  const pictures = useBannedPicture();
  const { judge } = pictures;

  /** Fifty small frames, all different, with the banned one among them. */
  async function roll(at: number): Promise<sharp.Sharp> {
    const frames = Array.from({ length: 50 }, async (_, index) => {
      if (index === at) return sharp(pictures.banned).removeAlpha().raw().toBuffer();
      const part = sharp(pictures.innocent).extract({ left: index % 30, top: 0, width: 64, height: HEIGHT });
      return part.resize(WIDTH, HEIGHT, { fit: 'fill' }).removeAlpha().raw().toBuffer();
    });
    const data = Buffer.concat(await Promise.all(frames));
    return sharp(data, {
      raw: { width: WIDTH, height: HEIGHT * 50, channels: 3, pageHeight: HEIGHT },
      pages: -1,
    });
  }

  /** AV1, two frames of another picture. */
  const shortVideo = (): Promise<Buffer> =>
    readFile(
      pictures.bench.make(
        'sequence.mp4',
        ...['-f', 'lavfi', '-i', `testsrc2=s=${WIDTH}x${HEIGHT}:r=5:d=0.4`],
        ...['-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '40', '-b:v', '0'],
      ),
    );

  it.each(['gif', 'webp'] as const)('is seen in a %s that shows it for 99 %% of its time', async (format) => {
    const delay = Array.from({ length: 50 }, (_, index) => (index === 31 ? 60_000 : 20));
    const file = await (await roll(31))[format]({ delay, effort: 1 }).toBuffer();
    expect(await judge(file, { format, frames: 50 })).toEqual(SEEN);
  });

  it('is hashed in a GIF that shows it for one frame of fifty', async () => {
    const file = await (await roll(17)).gif({ delay: Array(50).fill(20), effort: 1 }).toBuffer();
    expect(await judge(file, { format: 'gif', frames: 50 })).toMatchObject({ hashed: true, fullySeen: true });
  });

  it('is seen as the default picture of an APNG, which its animation never shows', async () => {
    const rgba = (png: Buffer): Promise<Buffer> => sharp(png).ensureAlpha().png().toBuffer();
    const frames = [pictures.banned, pictures.innocent, pictures.innocent].map(async (png) => ({
      ...{ png: await rgba(png), delay: [1, 10] as [number, number] },
    }));
    const apng = makeApng(await Promise.all(frames), 0);
    expect(await judge(withoutFirstControl(apng), { format: 'png', frames: 2 })).toEqual(SEEN);
  });

  it('is seen as the still of an AVIF sequence that shows other pictures', async () => {
    const still = await sharp(pictures.banned).removeAlpha().avif({ effort: 0, quality: 90 }).toBuffer();
    const video = await shortVideo();
    expect(await judge(sequenceWithStill(still, video), { format: 'avif', frames: 2 })).toEqual(SEEN);
    // A sequence of a single frame is a still to upload-service.
    expect(await judge(sequenceWithStill(still, video), { format: 'avif' })).toMatchObject({ hashed: true });
  });

  describe('in the part of a picture that a crop leaves out', () => {
    const size = { width: 2 * WIDTH, height: HEIGHT };
    const crop = { left: WIDTH, top: 0, width: WIDTH, height: HEIGHT };
    const tile = { tileWidth: size.width, tileHeight: size.height };
    let beside: Buffer;

    /** An AVIF of which some programs show only white. */
    const croppedAvif = async (): Promise<Buffer> =>
      makeHeif(tilesOfAvif(await sharp(beside).avif({ effort: 0, quality: 90 }).toBuffer(), tile), {
        ...size,
        crop,
      });

    beforeAll(async () => {
      const white = { right: WIDTH, background: 'white' };
      beside = await sharp(pictures.banned).removeAlpha().extend(white).png().toBuffer();
    });

    it('is seen in an AVIF', async () => {
      // Without the crop, which browsers ignore.
      const { served } = await stored(await croppedAvif());
      expect(await judge(served, { format: 'avif' })).toEqual(SEEN);
    });

    it('is seen in a HEIC', async () => {
      const png = join(pictures.bench.folder, 'beside.png');
      await sharp(beside).toFile(png);
      const hevc = pictures.bench.make(
        'beside.mp4',
        ...['-i', png, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
        ...['-c:v', 'libx265', '-crf', '10', '-x265-params', `${FEW_PICTURES}:info=0`],
      );
      const file = makeHeic(await readFile(hevc), { ...size, crop });
      expect(await judge(file, { format: 'heic' })).toEqual(SEEN);
    });

    it('is seen in the still of an AVIF sequence', async () => {
      const { served: file } = await stored(sequenceWithStill(await croppedAvif(), await shortVideo()));
      expect(await judge(file, { format: 'avif', frames: 2 })).toEqual(SEEN);
      expect(await judge(file, { format: 'avif' })).toEqual(SEEN);
    });
  });

  it('is seen on the third page of a TIFF', async () => {
    const pages = await Promise.all(
      [pictures.innocent, pictures.innocent, pictures.banned].map((png) =>
        sharp(png).removeAlpha().raw().toBuffer(),
      ),
    );
    const roll = sharp(Buffer.concat(pages), {
      raw: { width: WIDTH, height: HEIGHT * 3, channels: 3, pageHeight: HEIGHT },
      pages: -1,
    });
    expect(await judge(await roll.tiff({ compression: 'lzw' }).toBuffer(), { format: 'tiff' })).toEqual(SEEN);
  });

  it('is seen if it is drawn in white on transparency, for dark pages', async () => {
    const { data } = await sharp(pictures.banned).greyscale().raw().toBuffer({ resolveWithObject: true });
    const pixels = Buffer.from(Array.from(data, (brightness) => [255, 255, 255, brightness]).flat());
    const file = await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
      .png()
      .toBuffer();
    expect(await judge(file, { format: 'png' })).toEqual(SEEN);
  });

  describe('in a video', () => {
    const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const media = { kind: 'video', format: 'mp4' } as const;
    let picture: string;

    beforeAll(async () => {
      picture = join(pictures.bench.folder, 'banned.png');
      await sharp(pictures.banned).resize(192, 128, { fit: 'fill' }).toFile(picture);
    });

    /** A video with the banned picture over it while `when` is true. */
    const video = async (when: string, ...output: string[]): Promise<Buffer> =>
      readFile(
        pictures.bench.make(
          'video.mp4',
          ...['-f', 'lavfi', '-i', 'testsrc=s=192x128:d=8:r=30', '-i', picture],
          ...['-filter_complex', `[0][1]overlay=enable='${when}'`, ...output, ...H264],
        ),
      );

    it('is hashed if it is shown for half a second', async () => {
      expect(await judge(await video('between(t,3.21,3.71)'), media)).toMatchObject({
        hashed: true,
        fullySeen: true,
      });
    });

    it('is seen if it is the thumbnail', async () => {
      expect(await judge(await video('lt(t,0.06)'), media)).toEqual(SEEN);
    });

    it('is hashed if it flickers as single frames', async () => {
      expect(await judge(await video('eq(mod(n,20),11)'), media)).toMatchObject({ hashed: true });
    });

    it('is seen on a second track that players can switch to', async () => {
      const path = pictures.bench.make(
        'tracks.mp4',
        ...[
          '-f',
          'lavfi',
          '-i',
          'testsrc=s=192x128:d=1:r=10',
          '-loop',
          '1',
          '-t',
          '1',
          '-r',
          '10',
          '-i',
          picture,
        ],
        ...['-map', '0', '-map', '1', ...H264],
      );
      expect(await judge(await readFile(path), media)).toEqual(SEEN);
    });

    it('is seen if an edit list leaves it out', async () => {
      const whole = join(pictures.bench.folder, 'whole.mp4');
      pictures.bench.make(
        'whole.mp4',
        ...['-f', 'lavfi', '-i', 'testsrc=s=192x128:d=3:r=10', '-i', picture],
        ...['-filter_complex', `[0][1]overlay=enable='lt(t,1.5)'`, '-g', '100', ...H264],
      );
      const cut = pictures.bench.make('cut.mp4', '-ss', '2', '-i', whole, '-c', 'copy');
      expect(await judge(await readFile(cut), media)).toEqual(SEEN);
    });

    it('is seen if an edit list shows the rest twice instead', async () => {
      const whole = pictures.bench.make(
        'twice.mp4',
        ...['-f', 'lavfi', '-i', 'testsrc=s=192x128:d=2:r=10', '-i', picture],
        ...['-filter_complex', `[0][1]overlay=enable='lt(t,1)'`, '-g', '100', '-bf', '0', ...H264],
        ...['-video_track_timescale', '1000'],
      );
      const half = { duration: 1000, mediaTime: 1000 };
      expect(await judge(withEdits(await readFile(whole), [[half, half]]), media)).toEqual(SEEN);
    });

    /**
     * The banned picture, alternating with others, each of which is on the screen for `innocent` seconds of `period`.
     */
    const inTurns = async (period: number, innocent: number): Promise<Buffer> =>
      readFile(
        pictures.bench.make(
          'turns.mp4',
          ...['-f', 'lavfi', '-i', `testsrc=s=192x128:d=2:r=${1 / period}`],
          ...['-loop', '1', '-framerate', String(1 / period), '-t', '2', '-i', picture, '-filter_complex'],
          `[0]format=yuv420p[a];[1]format=yuv420p,setsar=1,settb=1/12000,setpts=PTS+${innocent}/TB[b];[a][b]interleave`,
          ...[
            '-vsync',
            'passthrough',
            '-enc_time_base',
            '1/12000',
            '-video_track_timescale',
            '12000',
            ...H264,
          ],
        ),
      );

    it('is seen if it follows each innocent frame within a millisecond', async () => {
      expect(await judge(await inTurns(0.25, 0.001), media)).toEqual(SEEN);
    });

    it('is hashed between frames that come sixty times a second', async () => {
      expect(await judge(await inTurns(1 / 60, 1 / 120), media)).toMatchObject({ hashed: true });
    });

    it('is seen in the field that deinterlacing drops', async () => {
      const path = pictures.bench.make(
        'interlaced.mp4',
        ...['-loop', '1', '-t', '1', '-r', '10', '-i', picture],
        // Every second row, from the first on, is white.
        ...['-vf', `scale=320:240,format=gray,geq=lum='if(mod(Y,2),lum(X,Y),255)',setfield=tff`, ...H264],
        ...['-crf', '10', '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
      );
      expect(await judge(await readFile(path), media)).toEqual(SEEN);
    });

    it('counts for a second more as the last frame, which players keep on the screen', async () => {
      const job = await pictures.bench.job(await video('gte(n,239)'), media);
      const { seconds } = await scanVideo(job, { path: job.source, stream: 'v:0' });
      expect(seconds.at(-1)).toBeCloseTo(1 + 1 / 30, 2);
    });

    it('is seen in the transparency of a white video', async () => {
      const path = pictures.bench.make(
        'alpha.webm',
        ...['-f', 'lavfi', '-i', 'color=white:s=192x128:r=10:d=1', '-loop', '1', '-t', '1', '-i', picture],
        '-filter_complex',
        '[1]format=gray[a];[0]format=yuva420p[c];[c][a]alphamerge',
        ...[
          '-c:v',
          'libvpx-vp9',
          '-deadline',
          'realtime',
          '-cpu-used',
          '8',
          '-b:v',
          '2M',
          '-pix_fmt',
          'yuva420p',
        ],
      );
      expect(await judge(await readFile(path), { kind: 'video', format: 'matroska' })).toEqual(SEEN);
    });
  });
});

/**
 * Removes the first `fcTL`, so that the default picture is not part of the animation, and corrects the number of
 * frames.
 */
function withoutFirstControl(apng: Buffer): Buffer {
  const control = apng.indexOf('fcTL') - 4;
  const cut = Buffer.concat([apng.subarray(0, control), apng.subarray(control + 12 + 26)]);
  const frames = cut.indexOf('acTL') + 4;
  cut.writeUInt32BE(cut.readUInt32BE(frames) - 1, frames);
  return cut;
}

/**
 * An AVIF sequence: the file of the still, and after it the boxes of the video, with the offsets of its chunks
 * corrected.
 */
function sequenceWithStill(still: Buffer, video: Buffer): Buffer {
  const brands = video.readUInt32BE(0);
  const boxes = Buffer.from(video.subarray(brands));
  const [handler, offsets] = [boxes.indexOf('vide'), boxes.indexOf('stco')];
  boxes.write('pict', handler, 'latin1');
  for (let left = boxes.readUInt32BE(offsets + 8), at = offsets + 12; left > 0; left--, at += 4)
    boxes.writeUInt32BE(boxes.readUInt32BE(at) + still.length - brands, at);
  const file = Buffer.concat([still, boxes]);
  file.write('avis', 8, 'latin1');
  return file;
}
