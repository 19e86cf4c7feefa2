import type { ModerationStatus } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DecisionReason, DecisionScores } from './decision.types';

/** One decision, automated or human. The database refuses to change or delete a row. */
@Entity('moderation_decisions')
export class ModerationDecisionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  subject!: 'media' | 'post';

  /** Id of the media item or post; the decision stays when that is deleted. */
  @Column({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  @Column({ type: 'text' })
  slug!: string;

  @Column({ name: 'decided_by', type: 'text' })
  decidedBy!: 'system' | 'owner' | 'moderator';

  /** Null if the system decided. */
  @Column({ name: 'decided_by_user_id', type: 'bigint', nullable: true })
  decidedByUserId!: number | null;

  @Column({ name: 'from_status', type: 'text' })
  from!: ModerationStatus;

  @Column({ name: 'to_status', type: 'text' })
  to!: ModerationStatus;

  @Column({ type: 'text' })
  reason!: DecisionReason;

  @Column({ type: 'jsonb', nullable: true })
  scores!: DecisionScores | null;

  /** The moderator's note. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** For a ruling on a post, or its end: the revision of the content; null for other decisions. */
  @Column({ type: 'integer', nullable: true })
  revision!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
