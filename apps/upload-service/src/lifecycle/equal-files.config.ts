import { parse, Setting } from '@vitrine/runtime';

const DAY = 86_400;

/** Whether and when originals with equal bytes are merged. */
export class EqualFilesConfig {
  @Setting({
    env: 'MERGE_EQUAL_FILES_AFTER_SECONDS',
    why: 'Originals with equal bytes are stored once: seconds after its processing at which an original is compared with older ones, and again so many until the second copy is deleted. More than what a copy of the files takes that belongs to a backup of the database. 0: no further ones are merged; merged ones stay so until `npm run admin -- split-files`.',
    parse: parse.integer(0, 30 * DAY),
    default: DAY,
    example: '86400',
  })
  mergeAfterSeconds!: number;

  get isOn(): boolean {
    return this.mergeAfterSeconds > 0;
  }

  /** What merging has begun ends also after it was turned off. */
  get afterSeconds(): number {
    return this.mergeAfterSeconds || DAY;
  }
}
