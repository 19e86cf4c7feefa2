import { Injectable } from '@nestjs/common';
import type { OwnMediaQuery } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import { intervalOf } from '../../base/queries/period-interval';

/** The number of an owner's media that one list reads: the latest, or the largest. */
const MAX_READ = 50_000;

const TYPES: Readonly<Record<NonNullable<OwnMediaQuery['type']>, string>> = {
  image: "kind = 'image' and frames = 1",
  animation: "kind = 'image' and frames > 1",
  video: "kind = 'video'",
};

/** Finds an owner's media with filters that no feed has. */
@Injectable()
export class OwnMediaRepository {
  constructor(private readonly database: Database) {}

  /** The ids of a page, and the number of media that match. */
  async findPage(
    userId: number,
    { page, limit, sort, type, period = 'all', without_post: isWithoutPost }: OwnMediaQuery,
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
    const order = sort === 'largest' ? 'bytes desc, id desc' : 'id desc';
    const filters = [
      '($2::interval is null or created_at >= now() - $2::interval)',
      ...(type ? [TYPES[type]] : []),
      ...(isWithoutPost ? ['not exists (select from post_media where media_id = own.id)'] : []),
    ];
    const [found] = await this.database.read<{ ids: number[]; total: number }>(
      `with own as (
         select id, bytes, kind, frames, created_at from media where user_id = $1 order by ${order} limit ${MAX_READ}
       ), matching as materialized (select id, bytes from own where ${filters.join(' and ')})
       select (select count(*)::int from matching) as total,
              array(select id from matching order by ${order} limit $3 offset $4) as ids`,
      [userId, intervalOf(period), limit, (page - 1) * limit],
    );
    return found ?? { ids: [], total: 0 };
  }
}
