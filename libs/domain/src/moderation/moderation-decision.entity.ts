import type { ModerationStatus } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DecisionReason, Verdict } from './moderation.rules';

/** One decision, automated or human. The database refuses to change or delete a row. */
@Entity('moderation_decisions')
export class ModerationDecisionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  subject!: 'media' | 'post';

  /** Id of the media or post; the row outlives it. */
  @Column({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  @Column({ type: 'text' })
  slug!: string;

  @Column({ name: 'decided_by', type: 'text' })
  decidedBy!: 'system' | 'owner' | 'moderator';

  /** Null where the system decided. */
  @Column({ name: 'decided_by_user_id', type: 'bigint', nullable: true })
  decidedByUserId!: number | null;

  @Column({ name: 'from_status', type: 'text' })
  from!: ModerationStatus;

  @Column({ name: 'to_status', type: 'text' })
  to!: ModerationStatus;

  @Column({ type: 'text' })
  reason!: DecisionReason;

  @Column({ type: 'jsonb', nullable: true })
  scores!: Verdict['scores'];

  /** A moderator's own words. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** For a ruling on a post, or its end: the revision of the content; null for other decisions. */
  @Column({ type: 'integer', nullable: true })
  revision!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
