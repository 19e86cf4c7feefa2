import type {
  Listing,
  ModerationStatus,
  PerceptualHash,
  Restriction,
  StoredVariant,
} from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';
import { restrictionOf } from '../../base/queries/restriction-sql';

/** An uploaded file: its properties, its variants and its moderation status. */
@Entity('media')
export class MediaEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  slug!: string;

  /** Null for a media item without an owner. */
  @Column({ name: 'user_id', type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ name: 'alt_text', type: 'text', nullable: true })
  altText!: string | null;

  @Column({ type: 'text' })
  kind!: 'image' | 'video';

  /** Format by content, e.g. `jpeg`, `matroska`. */
  @Column({ type: 'text' })
  format!: string;

  @Column({ type: 'text' })
  mime!: string;

  @Column({ type: 'text' })
  ext!: string;

  /** Pixels, as displayed. */
  @Column({ type: 'integer' })
  width!: number;

  @Column({ type: 'integer' })
  height!: number;

  /** Seconds, videos only. */
  @Column({ type: 'double precision', nullable: true })
  duration!: number | null;

  @Column({ type: 'integer' })
  frames!: number;

  /** Bytes of the stored original. */
  @Column({ type: 'bigint' })
  bytes!: number;

  @Column({ name: 'received_sha256', type: 'bytea' })
  receivedSha256!: Buffer;

  @Column({ name: 'stored_sha256', type: 'bytea' })
  storedSha256!: Buffer;

  /** Key of the object that holds the original if other media share or shared it; null: the one under its own key. */
  @Column({ name: 'shared_key', type: 'text', nullable: true })
  sharedKey!: string | null;

  @Column({ name: 'moderation_status', type: 'text', default: 'pending' })
  moderationStatus!: ModerationStatus;

  @Column({ type: 'boolean', default: false })
  processed!: boolean;

  @Column({ name: 'processing_error', type: 'text', nullable: true })
  processingError!: string | null;

  /** Percent, as last reported while it was processed. */
  @Column({ name: 'processing_progress', type: 'smallint', nullable: true })
  processingProgress!: number | null;

  @Column({ type: 'jsonb', default: [] })
  variants!: readonly StoredVariant[];

  /** Base64. */
  @Column({ type: 'text', nullable: true })
  thumbhash!: string | null;

  @Column({ type: 'jsonb', default: [] })
  hashes!: readonly PerceptualHash[];

  /** Whether `hashes` include every picture in the file. */
  @Column({ name: 'fully_seen', type: 'boolean', default: true })
  fullySeen!: boolean;

  @Column({ name: 'frame_keys', type: 'text', array: true, default: [] })
  frameKeys!: readonly string[];

  /** When the event for the step that is due was last published. */
  @Column({ name: 'announced_at', type: 'timestamptz', default: () => 'now()' })
  announcedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  announcements!: number;

  /** When its processing was last requested: at the upload, or when it was processed again. */
  @Column({ name: 'waiting_since', type: 'timestamptz', default: () => 'now()' })
  waitingSince!: Date;

  @Column({ name: 'processed_at', type: 'timestamptz', nullable: true })
  processedAt!: Date | null;

  /** When the latest moderation decision was made; null while the automated decision is due. */
  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt!: Date | null;

  /** Which feeds show it. */
  @Column({ type: 'text', default: 'unlisted' })
  listing!: Listing;

  /** Set by the owner: it is in no feed until it is in a public post. */
  @Column({ type: 'boolean', default: false })
  unlisted!: boolean;

  /** Whether the owner marked it as adult content at the upload. */
  @Column({ name: 'owner_nsfw', type: 'boolean', default: false })
  ownerNsfw!: boolean;

  /** As the owner set them. */
  @Column({ type: 'text', array: true, default: [] })
  tags!: readonly string[];

  /** SHA-256 of the key with which anyone may delete it; null if only its owner may. */
  @Column({ name: 'deletion_sha256', type: 'bytea', nullable: true })
  deletionSha256!: Buffer | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** The restriction of its owner that is in force when the row is read; null if there is none. Not a column. */
  @VirtualColumn({ type: 'text', query: (alias) => restrictionOf(`${alias}.user_id`) })
  ownerRestriction!: Restriction | null;
}
