import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { InviteState } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { isActiveMemberSql } from '../../base/queries/member-sql';
import { isWithheld } from '../../base/queries/restriction-sql';

/** An invite, without its code. */
export interface Invite {
  readonly id: number;
  readonly state: InviteState;
  readonly uses: number;
  readonly used: number;
  readonly note: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface NewInvite {
  readonly createdBy: number;
  readonly codeSha256: Buffer;
  readonly note: string | null;
  readonly uses: number;
  readonly expiresAt: Date;
}

/** What is stored of the code of an invite. */
export const inviteCodeHash = (code: string): Buffer => createHash('sha256').update(code).digest();

/** The invites of one account, or all. */
export interface InviteFilter {
  readonly createdBy: number | null;
}

const OPEN = 'i.revoked_at is null and i.expires_at > now() and i.used < i.uses';

/**
 * An invite ends with the account that created it, and rests while that account is restricted or may not invite:
 * `byMembers` is the SQL of whether members may.
 */
const usable = (byMembers: string): string => `${OPEN} and exists (
  select from users u where u.id = i.created_by and (u.role <> 'user' or ${byMembers})
    and ${isActiveMemberSql('u')} and not ${isWithheld('u.id')})`;

const INVITE = `
  i.id, i.uses, i.used, i.note, u.username as "createdBy", i.created_at as "createdAt", i.expires_at as "expiresAt",
  case when i.revoked_at is not null then 'revoked' when i.used >= i.uses then 'used'
       when i.expires_at <= now() then 'expired' else 'open' end as state`;

/** Every query on the tables `invites` and `invite_uses`. */
@Injectable()
export class InviteRepository {
  constructor(private readonly database: Database) {}

  async insert(
    tx: Transaction,
    { createdBy, codeSha256, note, uses, expiresAt }: NewInvite,
  ): Promise<Invite> {
    const [row] = await tx.query<Invite>(
      `with i as (
         insert into invites (created_by, code_sha256, note, uses, expires_at) values ($1, $2, $3, $4, $5) returning *
       )
       select ${INVITE} from i join users u on u.id = i.created_by`,
      [createdBy, codeSha256, note, uses, expiresAt],
    );
    if (!row) throw new Error('A new row has no id');
    return row;
  }

  /** Counts the open invites of an account. Its row stays locked, so that no others are added in the meantime. */
  async countOpen(tx: Transaction, createdBy: number): Promise<number> {
    await tx.query('select from users where id = $1 for no key update', [createdBy]);
    const [row] = await tx.query<{ open: number }>(
      `select count(*) as open from invites i where i.created_by = $1 and ${OPEN}`,
      [createdBy],
    );
    return row?.open ?? 0;
  }

  /** Whether an account could be created with a code now. */
  async isUsable(codeSha256: Buffer, byMembers: boolean): Promise<boolean> {
    const rows = await this.database.read(
      `select 1 as usable from invites i where i.code_sha256 = $1 and ${usable('$2')}`,
      [codeSha256, byMembers],
    );
    return rows.length > 0;
  }

  /** Uses an invite for a new account. Returns false, and changes nothing, if it can't be used any more. */
  use(tx: Transaction, codeSha256: Buffer, userId: number, byMembers: boolean): Promise<boolean> {
    return tx.affects(
      `with chosen as (
         update invites i set used = i.used + 1 where i.code_sha256 = $1 and ${usable('$3')} returning i.id
       )
       insert into invite_uses (user_id, invite_id) select $2, id from chosen returning user_id`,
      [codeSha256, userId, byMembers],
    );
  }

  /** One page, newest first; `offset` counts from 0. */
  async findPage({ createdBy }: InviteFilter, limit: number, offset: number): Promise<readonly Invite[]> {
    return this.database.read<Invite>(
      `select ${INVITE} from invites i join users u on u.id = i.created_by
       where $1::bigint is null or i.created_by = $1 order by i.id desc limit $2 offset $3`,
      [createdBy, limit, offset],
    );
  }

  async count({ createdBy }: InviteFilter): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      'select count(*) as total from invites where $1::bigint is null or created_by = $1',
      [createdBy],
    );
    return row?.total ?? 0;
  }

  async find(id: number, { createdBy }: InviteFilter): Promise<Invite | null> {
    const [row] = await this.database.read<Invite>(
      `select ${INVITE} from invites i join users u on u.id = i.created_by
       where i.id = $1 and ($2::bigint is null or i.created_by = $2)`,
      [id, createdBy],
    );
    return row ?? null;
  }

  /** Revokes an invite. Returns false if there is no such invite. */
  revoke(tx: Transaction, id: number, { createdBy }: InviteFilter): Promise<boolean> {
    return tx.affects(
      `update invites set revoked_at = coalesce(revoked_at, now())
       where id = $1 and ($2::bigint is null or created_by = $2)`,
      [id, createdBy],
    );
  }
}
