import { parse, Setting } from '@vitrine/runtime';

const POLICIES = ['optional', 'staff', 'required'] as const;

/** Who must have a second factor. */
export class FactorPolicyConfig {
  @Setting({
    env: 'SECOND_FACTOR',
    why: 'Who must have a second factor: nobody (optional), moderators and admins (staff), or every account (required). Those without one can only turn one on, end their sessions and log out; their API tokens get 403.',
    parse: parse.oneOf(...POLICIES),
    default: 'optional',
    example: 'required',
  })
  secondFactor!: (typeof POLICIES)[number];
}
