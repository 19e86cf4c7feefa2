import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '@vitrine/runtime';
import { createStorage, StorageConfig } from '@vitrine/storage';
import type { Check } from './check';

const RANGE = { from: 100, to: 199 };

export const storageCheck: Check = {
  name: 'storage',
  advice:
    'Check that STORAGE_URL is a folder or bucket in which these credentials may write, read, list and delete.',
  async run(environment, report) {
    const config = loadConfig(StorageConfig, environment);
    const storage = await createStorage(config);
    const key = `doctor/${randomUUID()}`;
    const bytes = randomBytes(4096);
    try {
      await storage.put(key, bytes);
      const whole = await buffer(await storage.open(key));
      const part = await buffer(await storage.open(key, RANGE));
      await storage.delete([key]);
      const left = await storage.head(key);
      if (!whole.equals(bytes))
        report.problem(
          'the object that was read differs from the one that was written',
          'Use another storage.',
        );
      if (!part.equals(bytes.subarray(RANGE.from, RANGE.to + 1))) {
        report.problem(
          'the storage returned a wrong range of an object',
          'Use a storage that supports ranges.',
        );
      }
      if (left)
        report.problem(
          'an object still exists after its deletion',
          'Allow deletion, and do not let old versions stay readable.',
        );
      if (whole.equals(bytes) && !left)
        report.ok(`objects in the ${config.location.kind} can be written, read and deleted`);
    } catch (error) {
      await storage.delete([key]).catch(() => undefined);
      throw error;
    } finally {
      await storage.close();
    }
  },
};
