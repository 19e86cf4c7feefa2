import { hash, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';

const CODES = 10;
/** Crockford's base32, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 120 random bits, so that the stored hash needs no salt and can't be guessed. */
const GROUPS = 4;
const GROUP_LENGTH = 6;

/** Recovery codes: ten of each account, each for one login. Also every query on the table `recovery_codes`. */
@Injectable()
export class RecoveryCodes {
  /** Replaces all codes of an account. The new ones are shown once and not stored. */
  async replace(tx: Transaction, userId: number): Promise<readonly string[]> {
    const codes = Array.from({ length: CODES }, newCode);
    await this.removeAll(tx, userId);
    await tx.query('insert into recovery_codes (user_id, code_sha256) select $1, unnest($2::bytea[])', [
      userId,
      codes.map(codeHash),
    ]);
    return codes;
  }

  /** Whether the account has unused codes, as `tx` sees it. */
  areLeft(tx: Transaction, userId: number): Promise<boolean> {
    return tx.affects('select 1 as code from recovery_codes where user_id = $1 and used_at is null limit 1', [
      userId,
    ]);
  }

  /** Uses a code up. Returns false if it is wrong or was used already. */
  use(tx: Transaction, userId: number, code: string): Promise<boolean> {
    return tx.affects(
      `update recovery_codes set used_at = now() where user_id = $1 and code_sha256 = $2 and used_at is null`,
      [userId, codeHash(code)],
    );
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  }
}

function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return Array.from({ length: GROUPS }, () => group().join('')).join('-');
}

/** The hash of a code as people may type it: in capitals, with spaces, and with letters for the digits 0 and 1. */
const codeHash = (code: string): Buffer =>
  hash(
    'sha256',
    code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1'),
    'buffer',
  );
