import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { MediaProcessingRequested } from '@vitrine/contracts';
import type { EventPublisher } from '@vitrine/messaging';
import { loadConfig } from '@vitrine/runtime';
import { type CheckedOutObject, FolderStorage } from '@vitrine/storage';
import { Registry } from 'prom-client';
import { MediaProcessorConfig } from '../config/media-processor.config';
import { VideoToolsConfig } from '../config/video-tools.config';
import { Decoding } from './decoding';
import { OriginalJobs } from './original-jobs';
import { ProcessingMetrics } from './processing-metrics';
import { ProcessingService } from './processing.service';

/** Checks out copies, like a bucket, and counts those that were not released. */
class CopyingStorage extends FolderStorage {
  copies = 0;

  override async checkOut(key: string): Promise<CheckedOutObject> {
    const { path } = await super.checkOut(key);
    this.copies++;
    return { path, release: async () => void this.copies-- };
  }
}

describe('ProcessingService', () => {
  let folder: string;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'vitrine-processing-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("releases the original if the folder for the variants can't be created", async () => {
    const storage = new CopyingStorage(folder);
    await storage.put('f/Media01.png', Buffer.from('x'));
    storage.scratchDirectory = async () => join(folder, 'absent');
    const config = loadConfig(MediaProcessorConfig, {});
    // Neither a decoder nor the bus is reached.
    const metrics = new ProcessingMetrics(new Registry());
    const service = new ProcessingService(
      storage,
      {} as EventPublisher,
      new OriginalJobs(
        storage,
        new Decoding(config, loadConfig(VideoToolsConfig, {}), storage, metrics),
        metrics,
      ),
      metrics,
    );

    const media = {
      media_id: 1,
      slug: 'Media01',
      key: 'f/Media01.png',
      kind: 'image',
    } as MediaProcessingRequested;
    await expect(service.process(media, 'quick')).rejects.toThrow(/mkdtemp/);

    expect(storage.copies).toBe(0);
  });
});
