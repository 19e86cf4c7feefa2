import { parse, Setting } from '@vitrine/runtime';

/** Whether and when originals with equal bytes are merged. */
export class EqualFilesConfig {
  @Setting({
    env: 'MERGE_EQUAL_FILES',
    why: 'Whether originals with equal bytes are stored once. false: no further ones are merged; merged ones stay so until `npm run admin -- split-files`.',
    parse: parse.flag,
    default: true,
    example: 'true',
  })
  isOn!: boolean;

  @Setting({
    env: 'MERGE_EQUAL_FILES_AFTER_SECONDS',
    why: 'Seconds after its processing at which an original is compared with older ones, and again so many until the second copy is deleted. More than what a copy of the files takes that belongs to a backup of the database.',
    parse: parse.integer(1, 30 * 86_400),
    default: 86_400,
    example: '86400',
  })
  afterSeconds!: number;
}
