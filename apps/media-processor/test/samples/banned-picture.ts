import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PerceptualHash } from '@vitrine/contracts';
import sharp from 'sharp';
import { ImageProcessor } from '../../src/images/image-processor';
import type { JobResult, MediaJob } from '../../src/jobs/protocol';
import { hashStill } from '../../src/perception/perceive';
import { restrictLoaders } from '../../src/pixels/open-image';
import { toPixels } from '../../src/pixels/pixels';
import { VideoProcessor } from '../../src/video/video-processor';
import { Bench } from './jobs';
import { pdqDistance } from './pdq-distance';
import { photo } from './pictures';

/** Pixels of the banned picture. */
export const [WIDTH, HEIGHT] = [96, 64];
/** PDQ's threshold: the bits in which a picture and its copy may differ. */
const SAME_PICTURE = 31;

/** What moderation learns of a file that hides the banned picture. */
export interface Judgement {
  /** Whether a hash of the result is that of the banned picture. */
  readonly hashed: boolean;
  /** Whether a picture for the classifier shows it. */
  readonly judged: boolean;
  readonly fullySeen: boolean;
}

export const SEEN: Judgement = { hashed: true, judged: true, fullySeen: true };

/** A banned picture, another one, and the jobs of files that hide the first. */
class BannedPicture {
  private constructor(
    readonly bench: Bench,
    /** PNG. */
    readonly png: Buffer,
    /** PNG of another picture. */
    readonly innocent: Buffer,
    private readonly hash: string,
  ) {}

  static async open(): Promise<BannedPicture> {
    restrictLoaders();
    const [png, innocent] = await Promise.all(
      [7, 8].map(async (seed) => (await photo(WIDTH, HEIGHT, seed)).png().toBuffer()),
    );
    const [hash] = await hashStill(await toPixels(sharp(png)));
    return new BannedPicture(await Bench.open(), png as Buffer, innocent as Buffer, hash?.pdq ?? '');
  }

  /** Processes a file, and tells what moderation learns of it. */
  async judge(
    file: Buffer,
    media: Partial<MediaJob['media']> & { readonly format: string },
    withFfmpeg = true,
  ): Promise<Judgement> {
    const whole = await this.bench.job(file, media);
    const job = withFfmpeg ? whole : { ...whole, tools: { ...whole.tools, ffmpeg: null } };
    const result =
      media.kind === 'video'
        ? await new VideoProcessor().process(job, () => undefined)
        : await new ImageProcessor().process(job);
    return {
      hashed: this.matches(result.hashes),
      judged: await this.isJudged(result, job.folder),
      fullySeen: result.fully_seen,
    };
  }

  private matches(hashes: readonly PerceptualHash[]): boolean {
    return hashes.some(({ pdq, quality }) => quality >= 50 && pdqDistance(pdq, this.hash) <= SAME_PICTURE);
  }

  /** Whether one of the frames for the classifier shows the banned picture. */
  private async isJudged({ frames, files }: JobResult, folder: string): Promise<boolean> {
    for (const frame of frames) {
      const { file = '' } = files.find(({ key }) => key === frame) ?? {};
      if (this.matches(await hashStill(await toPixels(sharp(await readFile(join(folder, file)))))))
        return true;
    }
    return false;
  }
}

/** Opens the picture and its bench for the tests of a suite, and closes them afterwards. */
export function useBannedPicture() {
  let picture: BannedPicture;
  beforeAll(async () => {
    picture = await BannedPicture.open();
  });
  afterAll(() => picture.bench.close());
  return {
    get bench(): Bench {
      return picture.bench;
    },
    /** PNG of the banned picture. */
    get banned(): Buffer {
      return picture.png;
    },
    /** PNG of another picture. */
    get innocent(): Buffer {
      return picture.innocent;
    },
    judge: (...file: Parameters<BannedPicture['judge']>): Promise<Judgement> => picture.judge(...file),
  };
}
