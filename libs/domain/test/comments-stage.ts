import type { ModerationStatus, Visibility } from '@vitrine/contracts';
import { useDomain } from '@vitrine/testing';
import { randomSlug } from '../src/base/identifiers/slug';
import type { Caller } from '../src/base/access/caller';
import { CommentListsService } from '../src/community/comments/comment-lists.service';
import { CommentsModule } from '../src/community/comments/comments.module';
import { CommentsService } from '../src/community/comments/comments.service';
import { insertCaller } from './insert-caller';

export interface PostFields {
  readonly userId?: number | null;
  readonly visibility?: Visibility;
  readonly status?: ModerationStatus;
  readonly accessKey?: string;
}

export const KEY = 'Sesame0123456789Sesame0123456789';

/** Starts the services before a suite's tests and stops them afterwards; returns them and helpers for the tests. */
export function useComments() {
  const domain = useDomain([CommentsModule]);
  let service: CommentsService;
  let lists: CommentListsService;

  beforeAll(() => {
    service = domain.get(CommentsService);
    lists = domain.get(CommentListsService);
  });
  beforeEach(() => domain.dataSource.query('truncate users, posts, comments, outbox cascade'));

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const createUser = (role?: Caller['role']): Promise<Caller> => insertCaller(domain.dataSource, role);
  const createPost = async (fields: PostFields = {}): Promise<{ id: number; slug: string }> => {
    const slug = randomSlug();
    const { userId = null, visibility = 'public', status = 'approved', accessKey = null } = fields;
    const [row] = await query<{ id: number }>(
      `insert into posts (slug, user_id, visibility, moderation_status, access_key, title)
       values ($1, $2, $3, $4, $5, 'Title') returning id`,
      [slug, userId, visibility, status, accessKey],
    );
    return { id: row!.id, slug };
  };
  const comment = async (post: { slug: string }, caller: Caller, parentId: number | null = null) =>
    (await service.create(post.slug, caller, null, { content: 'Hello', parentId })).comment.id;
  const listPost = async (post: { slug: string }, viewer: Caller | null = null) =>
    (
      await lists.findPostPage(
        post.slug,
        { viewer },
        {
          page: 1,
          limit: 250,
          sort: 'oldest',
          parentId: null,
        },
      )
    ).comments;
  const idsIn = async (post: { slug: string }) => (await listPost(post)).map(({ comment: { id } }) => id);
  const commentCount = async ({ id }: { id: number }) =>
    (await query('select comment_count from posts where id = $1', [id]))[0]?.['comment_count'];
  const events = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    (
      await query<{ envelope: { type: string; data: Record<string, unknown> } }>(
        'select envelope from outbox order by id',
      )
    ).map(({ envelope }) => envelope);
  /** Marks an account as deleted, as its deletion does first. */
  const markDeleted = ({ userId }: Caller) =>
    domain.dataSource.transaction(async (manager) => {
      await manager.query('select from users where id = $1 for update', [userId]);
      await manager.query('update users set deleted_at = now() where id = $1', [userId]);
    });
  /** The derived columns that are wrong, and the comments that should have been removed. */
  const wrong = async (): Promise<unknown[]> => [
    ...(await query(
      `select id as post from posts p where comment_count <>
         (select count(*) from comments where post_id = p.id and deleted_at is null)`,
    )),
    ...(await query(
      `select id as comment from comments c where replies_count <> (select count(*) from comments where parent_id = c.id)
         or score <> (select coalesce(sum(value), 0) from comment_votes where comment_id = c.id)
         or (deleted_at is not null and replies_count = 0)
         or (deleted_at is not null) <> (user_id is null)
         or (deleted_at is not null and (content <> '[deleted]' or edited_at is not null))`,
    )),
    ...(await query(
      `select c.id as orphan from comments c join comments p on p.id = c.parent_id where p.post_id <> c.post_id`,
    )),
  ];
  return {
    get domain() {
      return domain;
    },
    get service() {
      return service;
    },
    get lists() {
      return lists;
    },
    query,
    createUser,
    createPost,
    comment,
    listPost,
    idsIn,
    commentCount,
    events,
    markDeleted,
    wrong,
  };
}
