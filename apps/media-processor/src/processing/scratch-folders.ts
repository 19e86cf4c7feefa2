import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ObjectStorage } from '@vitrine/storage';

/** The folders of one job. */
export interface JobFolders {
  /** For the results of the worker. */
  readonly folder: string;
  /** For checked results, out of the worker's reach. */
  readonly accepted: string;
}

/** Makes the temporary folders of jobs. */
@Injectable()
export class ScratchFolders {
  constructor(private readonly storage: ObjectStorage) {}

  /** Calls `work` with empty folders, and removes them afterwards with everything in them. */
  async use<Result>(work: (folders: JobFolders) => Promise<Result>): Promise<Result> {
    const scratch = await this.storage.scratchDirectory();
    const made: string[] = [];
    const make = async (): Promise<string> => {
      const path = await mkdtemp(join(scratch, 'variants-'));
      made.push(path);
      return path;
    };
    try {
      return await work({ folder: await make(), accepted: await make() });
    } finally {
      for (const path of made) await rm(path, { recursive: true, force: true });
    }
  }
}
