import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Transaction } from '@vitrine/database';
import type { DataSource } from 'typeorm';

/** What can be tagged: its table, and the table and column of its tags. */
export interface Tagged {
  readonly table: 'posts' | 'media';
  readonly tags: 'post_tags' | 'media_tags';
  readonly key: 'post_id' | 'media_id';
}

/** Every query on the table `tags`, and the writing of `post_tags`, `media_tags` and the items' own `tags`. */
@Injectable()
export class TagRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async findId(name: string): Promise<number | null> {
    const [row]: { id: number }[] = await this.dataSource.query('select id from tags where name = $1', [
      name,
    ]);
    return row?.id ?? null;
  }

  /**
   * Makes the tags that don't exist yet. Two transactions that make the same ones wait for each other, which their
   * common order keeps from being a deadlock.
   */
  async make(tx: Transaction, names: readonly string[]): Promise<void> {
    await tx.query(
      `insert into tags (name)
       select name from unnest($1::text[]) as wanted (name)
       where not exists (select from tags where tags.name = wanted.name)
       order by name collate "C"
       on conflict do nothing`,
      [names],
    );
  }

  /** Gives an item these tags, which exist, and no others. Its row must be locked: the tags copy its listing. */
  async assign(
    tx: Transaction,
    { table, tags, key }: Tagged,
    id: number,
    names: readonly string[],
  ): Promise<void> {
    await tx.query(
      `with wanted as (
         select id as tag_id from tags where name = any($2)
       ), taken as (
         delete from ${tags} where ${key} = $1 and tag_id not in (select tag_id from wanted)
       ), given as (
         insert into ${tags} (${key}, tag_id, listing)
         select item.id, wanted.tag_id, item.listing from ${table} item, wanted where item.id = $1
         on conflict do nothing
       )
       update ${table} set tags = $2 where id = $1 and tags <> $2`,
      [id, names],
    );
  }
}
