import { ConfigurationError, loadConfig } from '@vitrine/runtime';
import { FolderStorage } from './folder-storage';
import { S3Storage } from './s3-storage';
import { StorageConfig } from './storage.config';
import { createStorage } from './storage.module';

const SECRET = 'a-secret-that-nobody-may-read';
const KEYS = { S3_ACCESS_KEY_ID: 'ours', S3_SECRET_ACCESS_KEY: SECRET };

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(StorageConfig, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration of the storage', () => {
  it('is a folder in the data folder by default', () => {
    const { location, scratchDirectory } = loadConfig(StorageConfig, { VITRINE_DATA_DIR: '/data' });
    expect(location).toEqual({ kind: 'folder', path: '/data/objects' });
    expect(scratchDirectory).toBe('/data/scratch');
  });

  it('accepts a folder with an absolute path', async () => {
    const config = loadConfig(StorageConfig, { STORAGE_URL: 'file:///srv/my%20files/' });
    expect(config.location).toEqual({ kind: 'folder', path: '/srv/my files' });
    expect(await createStorage(config)).toBeInstanceOf(FolderStorage);
  });

  it.each([
    [
      's3://vitrine-files?region=eu-west-1',
      { bucket: 'vitrine-files', prefix: '', region: 'eu-west-1', endpoint: null, pathStyle: false },
    ],
    [
      's3://files.example.org/media/2026/?region=eu-west-1',
      {
        bucket: 'files.example.org',
        prefix: 'media/2026/',
        region: 'eu-west-1',
        endpoint: null,
        pathStyle: false,
      },
    ],
    [
      's3://files?endpoint=http://minio:9000&path_style=true',
      { bucket: 'files', prefix: '', region: 'us-east-1', endpoint: 'http://minio:9000', pathStyle: true },
    ],
    [
      's3://files/?region=auto&endpoint=https%3A%2F%2Fs3.example.org%2F&path_style=false',
      { bucket: 'files', prefix: '', region: 'auto', endpoint: 'https://s3.example.org', pathStyle: false },
    ],
  ])('reads %s', async (url, expected) => {
    const config = loadConfig(StorageConfig, { STORAGE_URL: url, ...KEYS, VITRINE_DATA_DIR: '/var/data' });
    expect(config.location).toEqual({ kind: 's3', ...expected });
    const storage = await createStorage(config);
    expect(storage).toBeInstanceOf(S3Storage);
    await storage.close();
  });

  it.each([
    ['ftp://files', 'a URL that begins with file:// or s3://'],
    ['files', 'a URL that begins with file:// or s3://'],
    ['file://host/files', 'the absolute path of a folder after file://'],
    ['s3://', "s3:// with the bucket's name"],
    ['s3://My_Files?region=eu-west-1', "s3:// with the bucket's name"],
    ['s3://ab?region=eu-west-1', "s3:// with the bucket's name"],
    ['s3://files..org?region=eu-west-1', "s3:// with the bucket's name"],
    ['s3://files:9000?region=eu-west-1', "s3:// with the bucket's name"],
    [`s3://ours:${SECRET}@files?region=eu-west-1`, 'without credentials'],
    ['s3://files#media', 'without a fragment'],
    ['s3://files/a b?region=eu-west-1', 's3:// with a prefix of'],
    ['s3://files/.hidden?region=eu-west-1', 's3:// with a prefix of'],
    ['s3://files/a//b?region=eu-west-1', 's3:// with a prefix of'],
    ['s3://files', 's3:// with ?region='],
    ['s3://files?region=', 's3:// with the name of a region'],
    ['s3://files?region=eu-west-1&acl=public', 's3:// with no query but region, endpoint, path_style'],
    ['s3://files?region=a1&region=b2', 's3:// with no query but region, endpoint, path_style, each once'],
    ['s3://files?endpoint=minio:9000', 's3:// with the endpoint as http'],
    ['s3://files?endpoint=http://minio:9000/path', 's3:// with the endpoint as http'],
    [`s3://files?endpoint=http://ours:${SECRET}@minio`, 's3:// with the endpoint as http'],
    ['s3://files?region=eu-west-1&path_style=yes', 's3:// with path_style=true'],
  ])('refuses %s in one line that does not repeat the value', (url, complaint) => {
    const problems = problemsOf({ STORAGE_URL: url });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`STORAGE_URL must be ${complaint}`);
    expect(problems[0]).toMatch(/, for example STORAGE_URL=s3:\/\/vitrine-files\?region=eu-west-1$/);
    expect(problems[0]).not.toContain(SECRET);
  });

  it('requires the key and its secret together', () => {
    const url = { STORAGE_URL: 's3://files?region=eu-west-1' };
    expect(problemsOf({ ...url, ...KEYS })).toEqual([]);
    expect(problemsOf(url)).toEqual([]);
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
      const problems = problemsOf({ ...url, [name]: KEYS[name] });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^S3_SECRET_ACCESS_KEY must be set together with S3_ACCESS_KEY_ID/);
      expect(problems[0]).not.toContain(SECRET);
    }
  });

  it('refuses an S3 key without a bucket', () => {
    const urls: readonly Record<string, string>[] = [{}, { STORAGE_URL: 'file:///srv/files' }];
    for (const url of urls) {
      expect(problemsOf({ ...url, ...KEYS })).toEqual([
        expect.stringMatching(/^STORAGE_URL must name a bucket if S3_ACCESS_KEY_ID is set/),
      ]);
    }
  });
});
