import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '@vitrine/runtime';
import { createStorage, StorageConfig } from '@vitrine/storage';
import type { Check } from './check';

const RANGE = { from: 100, to: 199 };

export const storageCheck: Check = {
  name: 'storage',
  advice:
    'See that STORAGE_URL names a folder or bucket that these credentials may write, read, list and delete in.',
  async run(environment, report) {
    const config = loadConfig(StorageConfig, environment);
    const storage = createStorage(config);
    const key = `doctor/${randomUUID()}`;
    const bytes = randomBytes(4096);
    try {
      await storage.put(key, bytes);
      const whole = await buffer(await storage.open(key));
      const part = await buffer(await storage.open(key, RANGE));
      await storage.delete([key]);
      const left = await storage.head(key);
      if (!whole.equals(bytes))
        report.problem('an object was read that is not the one written', 'Use another storage.');
      if (!part.equals(bytes.subarray(RANGE.from, RANGE.to + 1))) {
        report.problem(
          'a range of an object is not what was asked for',
          'Use a storage that answers ranges.',
        );
      }
      if (left)
        report.problem(
          'an object is there after its deletion',
          'Allow deletion, without versions kept in sight.',
        );
      if (whole.equals(bytes) && !left)
        report.ok(`a ${config.location.kind} takes, gives and deletes objects`);
    } catch (error) {
      await storage.delete([key]).catch(() => undefined);
      throw error;
    } finally {
      await storage.close();
    }
  },
};
