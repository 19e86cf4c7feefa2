import { parse, Setting } from '@vitrine/runtime';

const POLICIES = ['optional', 'required'] as const;

/** Whether moderators and admins must have a second factor. */
export class StaffFactorConfig {
  @Setting({
    env: 'STAFF_SECOND_FACTOR',
    why: 'Whether moderators and admins must have a second factor: optional or required. If required, those without one can only turn one on.',
    parse: parse.oneOf(...POLICIES),
    default: 'optional',
    example: 'required',
  })
  staffSecondFactor!: (typeof POLICIES)[number];
}
