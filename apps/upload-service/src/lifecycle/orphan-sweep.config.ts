import { parse, Setting } from '@vitrine/runtime';

/** Whether objects without a media may be removed. */
export class OrphanSweepConfig {
  @Setting({
    env: 'ORPHAN_SWEEP',
    why: 'Removing objects without a media: on; off, for as long as a restored database may not know them all; unlimited, also where they are most of the storage.',
    parse: parse.oneOf('on', 'off', 'unlimited'),
    default: 'on',
    example: 'off',
  })
  orphanSweep!: 'on' | 'off' | 'unlimited';
}
