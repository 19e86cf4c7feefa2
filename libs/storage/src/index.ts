export { FolderStorage } from './folder-storage';
export {
  ObjectNotFoundError,
  ObjectStorage,
  type ByteRange,
  type HeldObject,
  type ObjectInfo,
} from './object-storage';
export { StorageConfig } from './storage.config';
export { StorageModule } from './storage.module';
