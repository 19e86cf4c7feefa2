import { integer } from './parsers';
import type { SettingOptions } from './setting';

/**
 * The setting of the days after which unused variants are removed: upload-service removes them, and media-processor keeps
 * workers ready to make them again.
 */
export const VARIANT_RETENTION_DAYS_SETTING: SettingOptions<number> = {
  env: 'VARIANT_RETENTION_DAYS',
  why: 'Days without a request after which a size of a still picture is removed; the next request makes it again, within about 0.3 s. upload-service and media-processor must have the same value. More than what shared caches keep files for, because they hide requests. 0: sizes are kept.',
  parse: integer(0, 3650),
  default: 0,
  example: '90',
};
