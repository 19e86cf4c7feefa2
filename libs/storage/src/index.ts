export { putBucketPolicy } from './bucket-policy';
export { FolderStorage } from './folder-storage';
export { keepNew } from './keep-new';
export {
  ObjectStorage,
  type ByteRange,
  type CheckedOutObject,
  type HeldObject,
  type HoldPurpose,
  type ObjectInfo,
  type Pieces,
} from './object-storage';
export { ScratchFilesSweep } from './scratch-files.sweep';
export {
  isFileOutage,
  reportingOutages,
  ObjectChangedError,
  ObjectNotFoundError,
  StorageUnavailableError,
} from './storage-errors';
export type { BucketLocation } from './storage-location';
export { StorageConfig } from './storage.config';
export { createStorage, StorageModule } from './storage.module';
