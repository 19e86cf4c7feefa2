import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VariantName, VariantRecord } from '@vitrine/contracts';
import { ImageProcessor } from '../../src/images/image-processor';
import type { JobResult, MediaJob } from '../../src/jobs/protocol';
import { restrictLoaders } from '../../src/pixels/open-image';
import { Bench } from './jobs';
import { FEW_PICTURES } from './hevc';

const ALL_SIZES = ['xs', 'sm', 'md', 'lg', 'xl', 'thumb'];

/** The result of a job, and access to the variants that it made. */
export interface MadeImage extends JobResult {
  variant(name: VariantName): VariantRecord;
  /** The file that serves a size: a variant, or the original. */
  read(name: VariantName): Promise<Buffer>;
  /** The file with this object key, or the original. */
  readKey(key: string): Promise<Buffer>;
}

/** Runs image jobs in the test's own process. */
export class ImageBench {
  readonly processor = new ImageProcessor();

  private constructor(readonly files: Bench) {}

  static async open(): Promise<ImageBench> {
    restrictLoaders();
    return new ImageBench(await Bench.open());
  }

  close(): Promise<void> {
    return this.files.close();
  }

  /** Processes a file, and expects what is true of the result for every image. */
  async process(
    file: Buffer,
    {
      withFfmpeg = true,
      ...media
    }: Partial<MediaJob['media']> & { readonly format: string; readonly withFfmpeg?: boolean },
  ): Promise<MadeImage> {
    const job = await this.files.job(file, media);
    const tools = withFfmpeg ? job.tools : { ...job.tools, ffmpeg: null };
    const result = await this.processor.process({ ...job, tools });
    expect(result.variants.map(({ name }) => name)).toEqual(ALL_SIZES);
    expect(result.thumbhash).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(result.hashes.length).toBeGreaterThan(0);
    expect(result.fully_seen).toBe(true);
    const variant = (name: VariantName): VariantRecord =>
      result.variants.find((record) => record.name === name) as VariantRecord;
    const readKey = (key: string): Promise<Buffer> => {
      const made = result.files.find((file) => file.key === key);
      return readFile(made ? join(job.folder, made.file) : job.source);
    };
    const read = (name: VariantName): Promise<Buffer> => readKey(variant(name).key);
    return { ...result, variant, read, readKey };
  }

  /** One HEVC frame of ffmpeg's `filter`, in MP4. */
  hevc(filter: string): Promise<Buffer> {
    return readFile(
      this.files.make(
        'hevc.mp4',
        ...['-f', 'lavfi', '-i', filter, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
        ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `${FEW_PICTURES}:info=0`],
      ),
    );
  }
}
