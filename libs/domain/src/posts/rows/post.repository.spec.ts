import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { PostRepository } from './post.repository';
import { PostRowsModule } from './post-rows.module';

describe('PostRepository', () => {
  const domain = useDomain([PostRowsModule]);

  it('locks the posts that contain media without reading others', async () => {
    const { dataSource } = domain;
    await dataSource.query(
      `insert into posts (slug) select 'post' || lpad(n::text, 3, '0') from generate_series(1, 500) n`,
    );
    await dataSource.query(
      `insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
       select 'medi' || lpad(n::text, 3, '0'), 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256(''), sha256('')
       from generate_series(1, 3) n`,
    );
    await dataSource.query(
      `insert into post_media (post_id, media_id, position)
       select p.id, m.id, 0 from posts p join media m on p.slug = 'post' || substr(m.slug, 5)`,
    );
    const [first, second] = await dataSource.query<{ id: number }[]>('select id from media order by id');
    await domain.get(Database).transaction(async (tx) => {
      // So few posts are read faster without the index.
      await tx.query('set local enable_seqscan = off');
      const ids = [first!.id, second!.id];
      const [other] = await tx.query<{ id: number }>(`select id from posts where slug = 'post009'`);
      const read = async (): Promise<number> => {
        const [row] = await tx.query<{ count: number }>(
          `select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'posts'`,
        );
        return row!.count;
      };
      const before = await read();
      const locked = await domain.get(PostRepository).lockPostsOfMedia(tx, ids, other!.id);
      expect((await read()) - before).toBeLessThan(20);
      const slugs = await tx.query<{ slug: string }>(
        'select slug from posts where id = any($1::bigint[]) order by id',
        [locked],
      );
      expect(slugs.map(({ slug }) => slug)).toEqual(['post001', 'post002', 'post009']);
    });
  });
});
