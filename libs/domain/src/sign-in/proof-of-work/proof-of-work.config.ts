import { Consistent, parse, Setting } from '@vitrine/runtime';

/** Whether new accounts and guests cost work. */
@Consistent<ProofOfWorkConfig>({
  field: 'key',
  must: 'be set if PROOF_OF_WORK is on',
  beside: 'PROOF_OF_WORK',
  holds: ({ required, key }) => !required || key !== '',
})
export class ProofOfWorkConfig {
  @Setting({
    env: 'PROOF_OF_WORK',
    why: 'Whether registering, applying and becoming a guest need a proof of work: on or off.',
    parse: parse.flag,
    default: false,
    example: 'off',
  })
  required!: boolean;

  @Setting({
    env: 'PROOF_OF_WORK_DIFFICULTY',
    why: 'The largest number of SHA-256 hashes that a proof of work takes; the average is half of it. A phone computes 100000 hashes in some seconds.',
    parse: parse.integer(1, 100_000_000),
    default: 100_000,
    example: '100000',
  })
  difficulty!: number;

  @Setting({
    env: 'PROOF_OF_WORK_KEY',
    why: 'Secret with which challenges are signed, the same for all api-gateways; only needed if PROOF_OF_WORK is on.',
    parse: parse.secret,
    default: '',
    example: 'another-random-text-of-32-characters-or-more',
    warning: parse.warnIfGuessable('another-random-text-of-32-characters-or-more'),
  })
  key!: string;
}
