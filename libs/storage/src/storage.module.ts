import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { FolderStorage } from './folder-storage';
import { ObjectStorage } from './object-storage';
import { StorageConfig } from './storage.config';

/** Binds `ObjectStorage` to the adapter that `STORAGE_URL` names. */
@Module({
  providers: [
    provideConfig(StorageConfig),
    {
      provide: ObjectStorage,
      inject: [StorageConfig],
      useFactory: (config: StorageConfig) => new FolderStorage(fileURLToPath(config.url)),
    },
  ],
  exports: [ObjectStorage],
})
export class StorageModule {}
