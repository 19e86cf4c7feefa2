import type { Listing, ModerationStatus, Visibility } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A page that groups media. What is derived (see `PostMediaService`) changes under the row's lock. */
@Entity('posts')
export class PostEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  slug!: string;

  /** Null for a post that nobody owns. */
  @Column({ name: 'user_id', type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'public' })
  visibility!: Visibility;

  /** Opens a private post; null unless it is one. */
  @Column({ name: 'access_key', type: 'text', nullable: true })
  accessKey!: string | null;

  /** Derived. */
  @Column({ name: 'moderation_status', type: 'text', default: 'pending' })
  moderationStatus!: ModerationStatus;

  /** The owner said `is_nsfw`. */
  @Column({ name: 'owner_nsfw', type: 'boolean', default: false })
  ownerNsfw!: boolean;

  /** The owner's floor that a moderator's ruling has set aside. */
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

  /** Derived: it holds no media that others may see. */
  @Column({ type: 'boolean', default: false })
  empty!: boolean;

  /** Derived; rejected ones too. */
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

  /** Of comments that aren't tombstones. */
  @Column({ name: 'comment_count', type: 'integer', default: 0 })
  commentCount!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** When the owner last changed something of it. */
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
