import { Injectable } from '@nestjs/common';
import { Database, hiddenFromPlanner, type Transaction } from '@vitrine/database';
import DataLoader from 'dataloader';
import { BATCHED_READS } from '../../base/queries/batched-reads';
import { BannedHashEntity } from './banned-hash.entity';

/** A new ban. */
export interface NewBannedHash {
  readonly kind: BannedHashEntity['kind'];
  /** 32 bytes. */
  readonly hash: Buffer;
  readonly reason: string;
  readonly createdBy: number | null;
}

/** A ban with the username of its creator. */
export type BannedHashView = Omit<BannedHashEntity, 'createdBy'> & {
  /** Null for the operator. */
  readonly createdBy: string | null;
};

export interface BannedHashPage {
  /** Newest first. */
  readonly items: readonly BannedHashView[];
  readonly total: number;
}

const viewOf = (rows: string): string => `
  select h.id, h.kind, h.hash, h.reason, h.created_at as "createdAt", u.username as "createdBy"
  from ${rows} h left join users u on u.id = h.created_by`;

const VIEW = viewOf('banned_hashes');

/** A part of a statement that raises the version if the part `changed` has rows. */
const raiseVersion = (changed: string): string =>
  `raised as (update banned_hashes_version set version = version + 1 where exists (select from ${changed}))`;

/** Every query on `banned_hashes` and `banned_hashes_version`. */
@Injectable()
export class BannedHashRepository {
  private readonly files = new DataLoader(
    (hashes: readonly Buffer[]) => this.existAllSha256(hashes),
    BATCHED_READS,
  );

  constructor(private readonly database: Database) {}

  /** Adds those hashes that aren't banned yet; existing bans keep their reasons. Returns the new ones. */
  async insertMissing(tx: Transaction, hashes: readonly NewBannedHash[]): Promise<readonly BannedHashView[]> {
    if (hashes.length === 0) return [];
    return tx.query<BannedHashView>(
      `with inserted as (
         insert into banned_hashes (kind, hash, reason, created_by)
         select * from unnest($1::text[], $2::bytea[], $3::text[], $4::bigint[])
         on conflict (kind, hash) do nothing returning *
       ), ${raiseVersion('inserted')} ${viewOf('inserted')} order by h.id`,
      [
        hashes.map(({ kind }) => kind),
        hashes.map(({ hash }) => hash),
        hashes.map(({ reason }) => reason),
        hashes.map(({ createdBy }) => createdBy),
      ],
    );
  }

  async findByHash(kind: BannedHashEntity['kind'], hash: Buffer): Promise<BannedHashView | null> {
    const [ban] = await this.database.read<BannedHashView>(`${VIEW} where h.kind = $1 and h.hash = $2`, [
      kind,
      hash,
    ]);
    return ban ?? null;
  }

  async findById(id: number): Promise<BannedHashView | null> {
    const [ban] = await this.database.read<BannedHashView>(`${VIEW} where h.id = $1`, [id]);
    return ban ?? null;
  }

  /** `page` counts from 1. */
  async findPage(page: number, limit: number): Promise<BannedHashPage> {
    const [counted] = await this.database.read<{ total: number }>(
      'select count(*)::integer as total from banned_hashes',
    );
    const items = await this.database.read<BannedHashView>(`${VIEW} order by h.id desc limit $1 offset $2`, [
      limit,
      (page - 1) * limit,
    ]);
    return { items, total: counted?.total ?? 0 };
  }

  /** Returns the hash; null if there is no such ban. */
  async remove(tx: Transaction, id: number): Promise<Buffer | null> {
    const [row] = await tx.query<{ hash: Buffer }>(
      `with removed as (delete from banned_hashes where id = $1 returning hash), ${raiseVersion('removed')}
       select hash from removed`,
      [id],
    );
    return row?.hash ?? null;
  }

  /** One or two of these belong to each upload. */
  existsSha256(hash: Buffer): Promise<boolean> {
    return this.files.load(hash);
  }

  /** A number that rises with each change of the table. */
  async readVersion(): Promise<number> {
    const [row] = await this.database.read<{ version: number }>('select version from banned_hashes_version');
    return row?.version ?? 0;
  }

  findPerceptual(): Promise<Pick<BannedHashEntity, 'id' | 'hash'>[]> {
    return this.database.read(`select id, hash from banned_hashes where kind = 'pdq'`);
  }

  private async existAllSha256(hashes: readonly Buffer[]): Promise<boolean[]> {
    const rows = await this.database.read<{ hash: Buffer }>(
      `select hash from banned_hashes where kind = 'sha256' and hash = any(${hiddenFromPlanner('$1::bytea[]')}::bytea[])`,
      [hashes],
    );
    const banned = new Set(rows.map(({ hash }) => hash.toString('hex')));
    return hashes.map((hash) => banned.has(hash.toString('hex')));
  }
}
