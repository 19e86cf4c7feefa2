import type { Listing, ModerationStatus, Restriction, Visibility } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';
import { restrictionOf } from '../../base/queries/restriction-sql';

/** A page that groups media. Derived columns (see `PostMediaService`) change under the row's lock. */
@Entity('posts')
export class PostEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  slug!: string;

  /** Null for a post without an owner. */
  @Column({ name: 'user_id', type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'public' })
  visibility!: Visibility;

  /** The key that opens a private post; null for other posts. */
  @Column({ name: 'access_key', type: 'text', nullable: true })
  accessKey!: string | null;

  /** Derived. */
  @Column({ name: 'moderation_status', type: 'text', default: 'pending' })
  moderationStatus!: ModerationStatus;

  /** Whether the owner set `is_nsfw`. */
  @Column({ name: 'owner_nsfw', type: 'boolean', default: false })
  ownerNsfw!: boolean;

  /** Whether the owner's `is_nsfw` was set before a moderator's ruling replaced it. */
  @Column({ name: 'nsfw_before_ruling', type: 'boolean', default: false })
  nsfwBeforeRuling!: boolean;

  /** A moderator's decision on the post itself. */
  @Column({ name: 'moderator_status', type: 'text', nullable: true })
  moderatorStatus!: 'approved' | 'nsfw' | 'rejected' | null;

  /** Rises with each change of title, description, tags or media: what a moderator's ruling covers. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  /** When a change of the content ended a moderator's ruling; null once a moderator has ruled again. */
  @Column({ name: 'ruling_lapsed_at', type: 'timestamptz', nullable: true })
  rulingLapsedAt!: Date | null;

  /** Derived: whether it contains no media that others may see. */
  @Column({ type: 'boolean', default: false })
  empty!: boolean;

  /** Derived; includes rejected media. */
  @Column({ name: 'media_count', type: 'integer', default: 0 })
  mediaCount!: number;

  /** Derived: which feeds show it. */
  @Column({ type: 'text', default: 'unlisted' })
  listing!: Listing;

  /** As the owner set them. */
  @Column({ type: 'text', array: true, default: [] })
  tags!: readonly string[];

  /** Sum of its votes. */
  @Column({ type: 'integer', default: 0 })
  score!: number;

  @Column({ name: 'view_count', type: 'bigint', default: 0 })
  viewCount!: number;

  /** The number of comments that aren't tombstones. */
  @Column({ name: 'comment_count', type: 'integer', default: 0 })
  commentCount!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** When the owner last changed the post. */
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

  /** The restriction of its owner that is in force when the row is read; null if there is none. Not a column. */
  @VirtualColumn({ type: 'text', query: (alias) => restrictionOf(`${alias}.user_id`) })
  ownerRestriction!: Restriction | null;
}

/**
 * A post that the viewer may see, as comments, votes and reports need it. The object may have further columns, such as the
 * access key: never spread it into an answer.
 */
export type VisiblePost = Readonly<
  Pick<PostEntity, 'id' | 'slug' | 'userId' | 'title' | 'visibility' | 'moderationStatus' | 'score'>
>;

/** A post's status before and after a change. */
export interface PostStatusChange {
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** The columns of a post that its owner sets. */
export type OwnersFields = Partial<
  Pick<
    PostEntity,
    'title' | 'description' | 'visibility' | 'accessKey' | 'ownerNsfw' | 'nsfwBeforeRuling' | 'tags'
  >
>;
