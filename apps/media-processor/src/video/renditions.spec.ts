import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithFfmpeg } from '@vitrine/testing';
import sharp from 'sharp';
import { Bench } from '../../test/samples/jobs';
import type { JobResult } from '../jobs/protocol';
import { VideoProcessor } from './video-processor';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const words = (text: string): string[] => text.split(' ');
const source = (filter: string): string[] => ['-f', 'lavfi', '-i', filter];

describeWithFfmpeg('the renditions of a video', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  async function process(
    path: string,
    format: string,
    media: { readonly ext?: string } = {},
  ): Promise<JobResult & { readonly folder: string }> {
    const job = await bench.job(await readFile(path), { kind: 'video', format, ...media });
    return { ...(await new VideoProcessor().process(job, () => undefined)), folder: job.folder };
  }

  const video = (path: string): Record<string, unknown> => bench.probe(path)[0] ?? {};

  const pixel = async (picture: Buffer, x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + 3)];
  };

  it.each([
    ['untagged', [], [40, 160, 60]],
    ['tagged with the matrix alone', ['-colorspace', 'smpte170m'], [40, 160, 60]],
    // NTSC's green contains more red.
    [
      'tagged in full',
      words('-colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m'),
      [58, 158, 60],
    ],
  ])('show BT.601 (%s) alike, as do the thumbnail and the judged frames', async (_, tags, colour) => {
    const path = bench.make(
      'sd.mp4',
      ...source('color=0x28a03c:s=640x480:d=0.4:r=10'),
      ...['-vf', 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p', ...H264, '-qp', '10', ...tags],
    );
    const { folder, variants, files: outputs, frames } = await process(path, 'mp4');
    const judged = outputs.filter(({ key }) => frames.includes(key)).map(({ file }) => file);
    const pictures = await Promise.all(['thumb.jpg', ...judged].map((name) => readFile(join(folder, name))));
    const files = new Set(variants.slice(0, 5).map(({ key }) => key.replace('f/abc1234_', '')));
    for (const file of files) {
      const made = video(join(folder, file));
      // Browsers guess in several ways unless all three have tags.
      expect(made).toMatchObject({ color_primaries: 'bt709', color_transfer: 'bt709', color_range: 'tv' });
      const matrix = made['color_space'] === 'bt709' ? 'bt709' : 'bt601';
      const shown = bench.make(
        `${file}.png`,
        '-i',
        join(folder, file),
        ...['-frames:v', '1', '-vf'],
        `scale=in_color_matrix=${matrix},format=rgb24`,
      );
      pictures.push(await readFile(shown));
    }
    for (const picture of pictures) {
      const shown = await pixel(picture, 0.5, 0.5);
      expect(shown.map((value, index) => Math.abs(value - (colour[index] ?? 0)) <= 6)).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it.each([['mp4'], ['mov'], ['mkv']])('show a last frame that rests as long as the %s does', async (ext) => {
    const frames = bench.make(
      `frames.${ext}`,
      ...source('testsrc2=s=640x360:d=1:r=50'),
      ...['-vf', "select='lt(t,0.3)+not(mod(n,7))'", '-vsync', 'vfr', ...H264, '-pix_fmt', 'yuv444p'],
    );
    const path = bench.make(
      `rests.${ext}`,
      ...['-i', frames, '-c', 'copy', '-bsf:v', "setts=duration='if(gte(PTS*TB,0.97),0.7/TB,DURATION)'"],
    );
    const { folder, duration } = await process(path, ext === 'mkv' ? 'matroska' : ext, { ext });
    expect(Math.abs((duration ?? 0) - 1.68)).toBeLessThan(0.05);
    for (const size of ['xs', 'sm']) {
      const made = Number(video(join(folder, `${size}.mp4`))['duration']);
      expect(Math.abs(made - 1.68)).toBeLessThan(0.05);
    }
  });

  it.each([
    ['webm', 'matroska', '-c:v libvpx-vp9 -pix_fmt yuva420p -auto-alt-ref 0 -deadline realtime -cpu-used 8'],
    ['webm', 'matroska', '-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -deadline realtime -cpu-used 8'],
    ['mov', 'mov', '-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le'],
    ['mov', 'mov', '-c:v qtrle -pix_fmt argb'],
  ])('show transparent parts as black (%s %s %s)', async (ext, format, encoder) => {
    const path = bench.make(
      `alpha.${ext}`,
      ...source(
        'color=red@0.0:s=320x180:r=10:d=0.4,format=yuva444p,drawbox=80:40:100:80:blue@1.0:t=fill:replace=1',
      ),
      ...words(encoder),
    );
    const { folder } = await process(path, format, { ext });
    const whole = bench.make('alpha.png', '-i', join(folder, 'xs.mp4'), '-frames:v', '1');
    for (const picture of [await readFile(join(folder, 'thumb.jpg')), await readFile(whole)]) {
      expect(Math.max(...(await pixel(picture, 0.9, 0.9)))).toBeLessThan(12);
      const [r = 255, , b = 0] = await pixel(picture, 0.4, 0.4);
      expect([r < 20, b > 235]).toEqual([true, true]);
    }
  });
});
