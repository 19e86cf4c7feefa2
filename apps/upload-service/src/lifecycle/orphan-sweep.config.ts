import { parse, Setting } from '@vitrine/runtime';

/** Whether objects without a media item may be removed. */
export class OrphanSweepConfig {
  @Setting({
    env: 'ORPHAN_SWEEP',
    why: 'Whether objects without a media item are removed. on: yes; off: no, while a restored database may lack some media; unlimited: yes, even if they are a large part of the storage.',
    parse: parse.oneOf('on', 'off', 'unlimited'),
    default: 'on',
    example: 'off',
  })
  orphanSweep!: 'on' | 'off' | 'unlimited';
}
