import type { Role } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An account. The row of a deleted one stays, so that its username is never free again; of a guest nothing does. */
@Entity('users')
export class UserEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text', default: 'member' })
  kind!: 'member' | 'guest';

  /** A guest's is made up, and nobody's to see. */
  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** argon2id; null once the account is deleted. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  @Column({ type: 'text', default: 'user' })
  role!: Role;

  @Column({ type: 'text', nullable: true })
  bio!: string | null;

  @Column({ name: 'avatar_media_id', type: 'bigint', nullable: true })
  avatarMediaId!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
