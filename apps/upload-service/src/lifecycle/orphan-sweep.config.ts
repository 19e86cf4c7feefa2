import { parse, Setting } from '@vitrine/runtime';

/** Whether objects without a media item may be removed. */
export class OrphanSweepConfig {
  @Setting({
    env: 'ORPHAN_SWEEP',
    why: 'Removes objects without a media item: on; off, while a restored database may lack some of them; unlimited, also if they are a large part of the storage.',
    parse: parse.oneOf('on', 'off', 'unlimited'),
    default: 'on',
    example: 'off',
  })
  orphanSweep!: 'on' | 'off' | 'unlimited';
}
