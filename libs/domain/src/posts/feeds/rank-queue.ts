/**
 * A statement that queues posts or media whose ranks may be out of date. `rows` is a part of the same statement and has
 * their ids as `id`.
 */
export const queueForRanking = (items: 'posts' | 'media', rows: string): string =>
  `insert into rank_changes (${items === 'posts' ? 'post_id' : 'media_id'}) select id from ${rows}`;
