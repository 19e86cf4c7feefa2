import { parse, Setting } from '@vitrine/runtime';

/** Whether new accounts and guests cost work. */
export class ProofOfWorkConfig {
  @Setting({
    env: 'PROOF_OF_WORK_KEY',
    why: 'Secret with which challenges are signed, the same for all api-gateways. If it is set, registering, applying and becoming a guest need a proof of work; unset: they do not.',
    parse: parse.secret,
    default: '',
    example: 'another-random-text-of-32-characters-or-more',
    warning: parse.warnIfGuessable('another-random-text-of-32-characters-or-more'),
  })
  key!: string;

  /** The largest number of SHA-256 hashes that a proof takes; the average is half of it. A phone needs some seconds. */
  difficulty = 100_000;

  get required(): boolean {
    return this.key !== '';
  }
}
