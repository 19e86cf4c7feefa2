import { createHash } from 'node:crypto';
import { randomBase62 } from '../../base/identifiers/random-base62';

/** 142 random bits. */
const LENGTH = 24;

export const mintInviteCode = (): string => randomBase62(LENGTH);

/** What is stored of a code. */
export const inviteCodeHash = (code: string): Buffer => createHash('sha256').update(code).digest();
