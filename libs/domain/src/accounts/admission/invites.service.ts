import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { isModerator } from '../../base/access/viewer';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { AuditLog } from '../../base/audit/audit-log.service';
import { randomBase62 } from '../../base/identifiers/random-base62';
import { AdmissionConfig } from './admission.config';
import { type Invite, inviteCodeHash, type InviteFilter, InviteRepository } from './invite.repository';

/** 142 random bits. */
const CODE_LENGTH = 24;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_INVITE_DAYS = 366;
/** The largest numbers of open invites of one account, and of accounts that one invite lets in. */
const LIMITS = {
  member: { open: 10, uses: 10 },
  staff: { open: 1_000, uses: 10_000 },
} as const;

/** An invite to create. */
export interface WantedInvite {
  readonly uses: number;
  /** RFC 3339. Absent means a week from now. */
  readonly expiresAt?: string | undefined;
  readonly note: string | null;
}

/** A new invite with its code, which is shown once and not stored. */
export interface MintedInvite {
  readonly code: string;
  readonly invite: Invite;
}

export interface InvitePage {
  /** Newest first. */
  readonly invites: readonly Invite[];
  readonly total: number;
}

/** Invites: links with which accounts can be created. Staff see those of all accounts, members their own. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly database: Database,
    private readonly repository: InviteRepository,
    private readonly audit: AuditLog,
    private readonly config: AdmissionConfig,
  ) {}

  /**
   * Creates an invite. Throws `ForbiddenError` if the caller may not create invites, and `InvalidFieldsError` on
   * `uses` and `expires_at` that are out of bounds, and if the caller has too many open invites.
   */
  async create(caller: Caller, { uses, expiresAt, note }: WantedInvite): Promise<MintedInvite> {
    this.assertMayInvite(caller);
    const limits = isModerator(caller) ? LIMITS.staff : LIMITS.member;
    if (uses > limits.uses) {
      throw new InvalidFieldsError({ uses: [`The uses field must not be greater than ${limits.uses}.`] });
    }
    const end = readEnd(expiresAt);
    const code = randomBase62(CODE_LENGTH);
    const invite = await this.database.transaction(async (tx) => {
      if ((await this.repository.countOpen(tx, caller.userId)) >= limits.open) {
        throw new InvalidFieldsError({
          uses: [`An account may not have more than ${limits.open} open invites.`],
        });
      }
      const invite = await this.repository.insert(tx, {
        createdBy: caller.userId,
        codeSha256: inviteCodeHash(code),
        note,
        uses,
        expiresAt: end,
      });
      await this.auditIfStaff(tx, caller, 'invite.create', invite.id, { uses });
      return invite;
    });
    return { code, invite };
  }

  /** One page; `page` counts from 1. Throws `ForbiddenError` if the caller may not create invites. */
  async findPage(caller: Caller, page: number, limit: number): Promise<InvitePage> {
    this.assertMayInvite(caller);
    const [invites, total] = await Promise.all([
      this.repository.findPage(seenBy(caller), limit, (page - 1) * limit),
      this.repository.count(seenBy(caller)),
    ]);
    return { invites, total };
  }

  /** Throws `NotFoundError`, and `ForbiddenError` if the caller may not create invites. */
  async find(caller: Caller, id: number): Promise<Invite> {
    this.assertMayInvite(caller);
    const invite = await this.repository.find(id, seenBy(caller));
    if (!invite) throw new NotFoundError();
    return invite;
  }

  /** Ends an invite. Accounts that were created with it stay. Throws as `find` does. */
  async revoke(caller: Caller, id: number): Promise<void> {
    this.assertMayInvite(caller);
    await this.database.transaction(async (tx) => {
      if (!(await this.repository.revoke(tx, id, seenBy(caller)))) throw new NotFoundError();
      await this.auditIfStaff(tx, caller, 'invite.revoke', id);
    });
  }

  private async auditIfStaff(
    tx: Transaction,
    caller: Caller,
    action: 'invite.create' | 'invite.revoke',
    id: number,
    detail?: { readonly uses: number },
  ): Promise<void> {
    if (!isModerator(caller)) return;
    const subject = { type: 'invite', id, name: String(id) } as const;
    await this.audit.append(tx, { by: caller, action, subject, ...(detail && { detail }) });
  }

  private assertMayInvite(caller: Caller): void {
    if (this.config.invitesBy !== 'members' && !isModerator(caller)) throw new ForbiddenError();
  }
}

const seenBy = (caller: Caller): InviteFilter => ({ createdBy: isModerator(caller) ? null : caller.userId });

function readEnd(text: string | undefined): Date {
  const now = Date.now();
  if (text === undefined) return new Date(now + DEFAULT_DAYS * DAY_MS);
  const end = new Date(text);
  if (end.getTime() <= now) {
    throw new InvalidFieldsError({ expires_at: ['The expires_at field must be a date after now.'] });
  }
  if (end.getTime() > now + MAX_INVITE_DAYS * DAY_MS) {
    throw new InvalidFieldsError({ expires_at: ['The expires_at field must be a date within a year.'] });
  }
  return end;
}
