import { parse, Setting } from '@vitrine/runtime';

/** Which passwords are refused besides guessable ones. */
export class PasswordsConfig {
  @Setting({
    env: 'BREACHED_PASSWORDS_FILE',
    why: 'File of passwords that are known from breaches, which nobody may choose: SHA-1 hashes in hexadecimal, one on each line, sorted, as Have I Been Pwned publishes them; unset: only common and guessable passwords are refused.',
    parse: parse.text,
    default: '',
    example: '/srv/vitrine/pwned-passwords-sha1-ordered-by-hash.txt',
  })
  breachedPasswordsFile!: string;
}
