import { integer } from './parsers';
import type { SettingOptions } from './setting';

/** The setting of the largest file: the upload host enforces it, and the website shows it before an upload. */
export const MAX_FILE_BYTES_SETTING: SettingOptions<number> = {
  env: 'MAX_FILE_BYTES',
  why: 'Largest file that is accepted, in bytes; upload-service and website must have the same value.',
  parse: integer(1, 10 * 1024 ** 3),
  default: 104_857_600,
  example: '104857600',
};
