import { parse, Setting } from '@vitrine/runtime';

const POLICIES = ['optional', 'required'] as const;

/** Who must have a second factor. */
export class FactorPolicyConfig {
  @Setting({
    env: 'STAFF_SECOND_FACTOR',
    why: 'Whether moderators and admins must have a second factor: optional or required. If required, those without one can only turn one on.',
    parse: parse.oneOf(...POLICIES),
    default: 'optional',
    example: 'required',
  })
  staffSecondFactor!: (typeof POLICIES)[number];

  @Setting({
    env: 'SECOND_FACTOR',
    why: 'Whether every account must have a second factor: optional or required. If required, those without one can only turn one on, end their sessions and log out; their API tokens get 403.',
    parse: parse.oneOf(...POLICIES),
    default: 'optional',
    example: 'required',
  })
  secondFactor!: (typeof POLICIES)[number];
}
