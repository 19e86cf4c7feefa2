import type { Role } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A member or guest. A deleted member's row stays, so that the username can't be registered again. */
@Entity('users')
export class UserEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text', default: 'member' })
  kind!: 'member' | 'guest';

  /** For guests a random name that isn't shown. */
  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** The verified address; see `EmailAddresses`. */
  @Column({ name: 'verified_email', type: 'text', nullable: true })
  verifiedEmail!: string | null;

  /** argon2id; null if the account has no password, and once it is deleted. */
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
