import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../upload.config';

/** Removes what killed processes have left in the scratch folder. */
@Injectable()
export class ScratchFilesSweep extends Sweep {
  readonly name = 'scratch files';
  readonly intervalSeconds: number;

  constructor(
    private readonly config: UploadConfig,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    const folder = await this.storage.scratchDirectory();
    const oldEnough = Date.now() - this.config.orphanAgeSeconds * 1000;
    let removed = 0;
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Others may finish with theirs at any moment.
      const found = await stat(path).catch(() => null);
      if (!found || found.mtimeMs > oldEnough) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
    return { removed };
  }
}
