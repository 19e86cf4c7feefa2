import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Consistent, parse, Setting, type Environment } from '@vitrine/runtime';
import { parseStorageUrl, type StorageLocation } from './storage-location';

const dataFolder = (env: Environment): string => env['VITRINE_DATA_DIR']?.trim() || '.data';

/** Configuration of the storage. */
@Consistent<StorageConfig>({
  field: 'secretAccessKey',
  must: 'be set together with S3_ACCESS_KEY_ID, or neither',
  beside: 'S3_ACCESS_KEY_ID',
  holds: ({ accessKeyId, secretAccessKey }) => (accessKeyId === '') === (secretAccessKey === ''),
})
@Consistent<StorageConfig>({
  field: 'location',
  must: 'name a bucket if S3_ACCESS_KEY_ID is set, because files would be stored in a folder of this machine',
  holds: ({ location, accessKeyId }) => location.kind === 's3' || accessKeyId === '',
})
export class StorageConfig {
  @Setting({
    env: 'STORAGE_URL',
    why: 'Where files are stored: a bucket as s3://bucket/prefix, with its region and if needed endpoint and path_style in the query (docs/storage.md), or a folder as file:///absolute/path; unset: the folder objects in VITRINE_DATA_DIR.',
    parse: parseStorageUrl,
    default: (env: Environment): StorageLocation =>
      parseStorageUrl(pathToFileURL(resolve(dataFolder(env), 'objects')).href),
    example: 's3://vitrine-files?region=eu-west-1',
  })
  location!: StorageLocation;

  @Setting({
    env: 'S3_ACCESS_KEY_ID',
    why: 'Id of the access key for the bucket. Unset, together with its secret: the role of the machine or pod.',
    parse: parse.text,
    default: '',
    example: 'vitrine',
  })
  accessKeyId!: string;

  @Setting({
    env: 'S3_SECRET_ACCESS_KEY',
    why: 'Secret of S3_ACCESS_KEY_ID.',
    parse: parse.text,
    default: '',
    example: 'the-secret-of-that-key',
  })
  secretAccessKey!: string;

  @Setting({
    env: 'VITRINE_DATA_DIR',
    why: 'Folder of the embedded database, the stored files and the secrets of npm start, and of temporary files if the files are in a bucket.',
    parse: parse.text,
    default: '.data',
    example: '/var/lib/vitrine',
  })
  dataFolder!: string;

  /** Local folder for temporary files of uploads and reads, if the files are in a bucket. */
  get scratchDirectory(): string {
    return resolve(this.dataFolder, 'scratch');
  }
}
