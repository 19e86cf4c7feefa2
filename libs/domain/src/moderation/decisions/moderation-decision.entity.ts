import type { AccountState, DecisionSubject, ModerationStatus } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DecisionReason, DecisionScores } from './decision.types';

/** One decision, automated or human. The database refuses to change or delete a row. */
@Entity('moderation_decisions')
export class ModerationDecisionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  subject!: DecisionSubject;

  /** Id of the media item, post or user; the decision stays when that is deleted. */
  @Column({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  /** The username, if the subject is a user. */
  @Column({ type: 'text' })
  slug!: string;

  @Column({ name: 'decided_by', type: 'text' })
  decidedBy!: 'system' | 'owner' | 'moderator' | 'operator';

  /** Null if the system or the operator decided. */
  @Column({ name: 'decided_by_user_id', type: 'bigint', nullable: true })
  decidedByUserId!: number | null;

  @Column({ name: 'from_status', type: 'text' })
  from!: ModerationStatus | AccountState;

  @Column({ name: 'to_status', type: 'text' })
  to!: ModerationStatus | AccountState;

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

  /** For a ruling on a user: when the state ends by itself; null if it doesn't, and for other decisions. */
  @Column({ type: 'timestamptz', nullable: true })
  until!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
