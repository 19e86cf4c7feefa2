import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { Registry } from 'prom-client';
import { FolderStorage } from './folder-storage';
import { ObjectStorage } from './object-storage';
import { ObservedStorage } from './observed-storage';
import { StorageConfig } from './storage.config';

/** Creates the storage that a configuration names. */
export async function createStorage({
  location,
  accessKeyId,
  secretAccessKey,
  scratchDirectory,
}: StorageConfig): Promise<ObjectStorage> {
  if (location.kind === 'folder') return new FolderStorage(location.path);
  const credentials = accessKeyId ? { accessKeyId, secretAccessKey } : undefined;
  // The SDK takes a tenth of a second to load.
  const { S3Storage } = await import('./s3-storage.js');
  return new S3Storage({ location, credentials, scratchDirectory });
}

/** Provides the `ObjectStorage` that `STORAGE_URL` names. It is observed if the process has metrics. */
@Module({
  providers: [
    provideConfig(StorageConfig),
    {
      provide: ObjectStorage,
      inject: [StorageConfig, { token: Registry, optional: true }],
      useFactory: async (config: StorageConfig, metrics: Registry | undefined) => {
        const storage = await createStorage(config);
        return metrics ? new ObservedStorage(storage, metrics) : storage;
      },
    },
  ],
  exports: [ObjectStorage],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(private readonly storage: ObjectStorage) {}

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}
