import { Injectable } from '@nestjs/common';
import type { ReportType } from '@vitrine/contracts';
import type { Viewer } from '../../base/access/viewer';
import { CommentListsService } from '../../community/comments/comment-lists.service';
import type { UserCommentView } from '../../community/comments/comment.types';
import type { MediaView } from '../../media/items/media.types';
import { MediaReading } from '../../media/items/media-reading.service';
import type { ListedPost } from '../../posts/posts/post.types';
import { PostsService } from '../../posts/posts/posts.service';
import type { Author } from '../../accounts/authors/author.types';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { type QueueEntry, QueueRepository } from './queue.repository';

/** The item of an entry in the queue. */
export type QueuedItem =
  | { readonly type: 'media'; readonly view: MediaView }
  | { readonly type: 'post'; readonly view: ListedPost }
  | { readonly type: 'comment'; readonly view: UserCommentView }
  | { readonly type: 'user'; readonly view: Author };

export interface QueueItem {
  readonly entry: QueueEntry;
  readonly thing: QueuedItem;
}

export interface QueueItemPage {
  /** Oldest first. */
  readonly items: readonly QueueItem[];
  /** The number of items in the whole queue. */
  readonly total: number;
}

/** The moderation queue. A page takes one statement, and a few for each type of item on it. */
@Injectable()
export class QueueService {
  constructor(
    private readonly repository: QueueRepository,
    private readonly media: MediaReading,
    private readonly posts: PostsService,
    private readonly comments: CommentListsService,
    private readonly authors: AuthorsService,
  ) {}

  /** One page for a moderator; `page` counts from 1. Items that are deleted while it is read are left out. */
  async findPage(page: number, limit: number, moderator: NonNullable<Viewer>): Promise<QueueItemPage> {
    const { entries, total } = await this.repository.findPage(page, limit);
    const idsOf = (type: ReportType): number[] =>
      entries.filter((entry) => entry.type === type).map(({ id }) => id);
    const [media, posts, comments, users] = await Promise.all([
      this.media.findViews(idsOf('media')),
      this.posts.findListed(idsOf('post'), { viewer: moderator }),
      this.comments.findViews(idsOf('comment'), moderator),
      this.authors.findAuthors(idsOf('user')),
    ]);
    const things = new Map<string, QueuedItem>([
      ...media.map((view) => [nameOf('media', view.media.id), { type: 'media', view }] as const),
      ...posts.map((view) => [nameOf('post', view.post.id), { type: 'post', view }] as const),
      ...[...comments].map(([id, view]) => [nameOf('comment', id), { type: 'comment', view }] as const),
      ...[...users].map(([id, view]) => [nameOf('user', id), { type: 'user', view }] as const),
    ]);
    const items = entries.flatMap((entry) => {
      const thing = things.get(nameOf(entry.type, entry.id));
      return thing ? [{ entry, thing }] : [];
    });
    return { items, total };
  }
}

const nameOf = (type: ReportType, id: number): string => `${type} ${id}`;
