import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Sweep } from '@vitrine/runtime';
import type { ObjectStorage } from './object-storage';

/** Removes old files that killed processes have left in the scratch folder. Times are in seconds. */
export class ScratchFilesSweep extends Sweep {
  readonly name = 'scratch files';

  constructor(
    private readonly storage: ObjectStorage,
    private readonly ageSeconds: number,
    readonly intervalSeconds: number,
  ) {
    super();
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly removed: number }> {
    const folder = await this.storage.scratchDirectory();
    const oldEnough = Date.now() - this.ageSeconds * 1000;
    let removed = 0;
    for (const name of await readdir(folder)) {
      if (!mayContinue()) break;
      const path = join(folder, name);
      // Its owner may remove a file at any moment.
      const found = await stat(path).catch(() => null);
      if (!found || found.mtimeMs > oldEnough) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
    return { removed };
  }
}
