import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Slots } from '@vitrine/concurrency';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { InvalidFieldsError, LoadShedError } from '../../base/errors/domain-error';
import { isBreached } from './breached-passwords';
import { isCommon } from './common-passwords';
import { PasswordsConfig } from './passwords.config';

/**
 * Passwords below this score of zxcvbn are refused. Score 3 is "safely unguessable": more than 10^8 guesses, with a
 * slow hash and limits of attempts behind it.
 */
const MIN_SCORE = 3;
/**
 * zxcvbn reads at most this many characters, and at most this many ways to undo replacements such as 4 for a, because
 * its work grows with both: with its defaults, a hostile text of 48 characters takes up to 4 seconds of processor time,
 * and with these bounds up to 60 ms (9 ms for a passphrase).
 */
const JUDGED_LENGTH = 24;
const REPLACEMENTS = 16;
/** Besides words that others know, a password must have at least this many characters. */
const MIN_UNKNOWN = 6;
/** Words of the account and of the site, which are easy to guess in its passwords; each is cut to this length. */
const WORD_LENGTH = 40;

/** Passwords that may wait for their turn. */
const MAX_WAITING = 64;

/** What a password is worth. */
export interface Strength {
  /** zxcvbn's score, 0 to 4. */
  readonly score: number;
  readonly accepted: boolean;
  /** What makes it weak, and how to make it stronger; sentences in English. */
  readonly hints: readonly string[];
}

/**
 * Refuses common and guessable passwords, and those known from breaches, offline. The dictionaries and lists are loaded
 * when the first password is checked.
 */
@Injectable()
export class PasswordStrength {
  private loading: Promise<ZxcvbnFactory> | undefined;
  private readonly slots = new Slots(1);

  constructor(private readonly config: PasswordsConfig) {}

  /**
   * `words`: what others know of the account, such as its username. Takes 5 to 60 ms of processor time; other requests
   * have their turn in between. Throws `LoadShedError` if too many are already waiting.
   */
  async judge(password: string, words: readonly (string | null | undefined)[]): Promise<Strength> {
    if (this.slots.queued >= MAX_WAITING) throw new LoadShedError(1);
    return this.slots.run(async () => {
      await setImmediate();
      this.loading ??= loadZxcvbn();
      return check(await this.loading, password, words);
    });
  }

  /** Throws `InvalidFieldsError` on `password` if it is too easy to guess, or known from a breach. */
  async assertStrong(password: string, words: readonly (string | null | undefined)[]): Promise<void> {
    const { accepted, hints } = await this.judge(password, words);
    if (!accepted) throw refused(['This password is too easy to guess.', ...hints].join(' '));
    const file = this.config.breachedPasswordsFile;
    if ((await isCommon(password)) || (file !== '' && (await isBreached(file, password))))
      throw refused('This password is known from a data breach. Choose another one.');
  }
}

function check(
  zxcvbn: ZxcvbnFactory,
  password: string,
  words: readonly (string | null | undefined)[],
): Strength {
  const told = known(words);
  if (countUnknown(password, told) < MIN_UNKNOWN)
    return {
      score: 0,
      accepted: false,
      hints: ['Use words that are not part of your account or this site.'],
    };
  const { score, feedback } = zxcvbn.check(password.slice(0, JUDGED_LENGTH), told);
  const hints = [feedback.warning, ...feedback.suggestions].filter((text) => text !== null && text !== '');
  return { score, accepted: score >= MIN_SCORE, hints: hints as string[] };
}

const refused = (message: string) => new InvalidFieldsError({ password: [message] });

/** The words themselves and their parts, such as the names in an email address. */
function known(words: readonly (string | null | undefined)[]): string[] {
  const whole = ['vitrine', ...words]
    .filter((word) => typeof word === 'string')
    .map((word) => word.slice(0, WORD_LENGTH));
  const parts = whole.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length > 2);
  return [...new Set([...whole, ...parts].map((word) => word.toLowerCase()))];
}

/** The length of what is left of a password without the words that others know. */
function countUnknown(password: string, words: readonly string[]): number {
  const longestFirst = [...words].filter((word) => word.length > 2).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase()).length;
}

async function loadZxcvbn(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    translations: english.translations,
    graphs: common.adjacencyGraphs,
    dictionary: { ...common.dictionary, ...english.dictionary },
    maxLength: JUDGED_LENGTH,
    l33tMaxSubstitutions: REPLACEMENTS,
  });
}
