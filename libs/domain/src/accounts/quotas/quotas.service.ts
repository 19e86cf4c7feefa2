import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { InsufficientStorageError, NotFoundError } from '../../base/errors/domain-error';
import { type OwnQuota, QuotaRepository } from './quota.repository';
import type {
  AccountQuota,
  QuotaChange,
  StorageCountDifferences,
  StorageLimits,
  StorageOverview,
  StorageUse,
  StoredAmount,
  StoredTotal,
} from './quota.types';
import { QuotasConfig } from './quotas.config';

/** Throws `InsufficientStorageError` if `used` and `more` together exceed the limits. */
export function assertFits({ used, limits }: StorageUse, more: StoredAmount): void {
  if (limits.files !== null && used.files + more.files > limits.files) {
    throw new InsufficientStorageError('quota_files');
  }
  if (limits.bytes === null) return;
  // Nothing fits into a quota that is used up, not even a file of unknown size.
  const isUsedUp = more.files > 0 && used.bytes >= limits.bytes;
  if (isUsedUp || used.bytes + more.bytes > limits.bytes) throw new InsufficientStorageError('quota_bytes');
}

/** The number of deltas that one transaction folds. */
const BATCH = 5000;

/**
 * As soon as the total is this close to its limit, uploads are counted one after another: 160 files of the default
 * largest size, more than are recorded in the same moment.
 */
const NEAR_TOTAL_BYTES = 16 * 2 ** 30;

/** The days and accounts of an overview. */
const DAYS_SHOWN = 90;
const ACCOUNTS_SHOWN = 20;

/** In the order in which they are shown. */
const KINDS = ['image', 'video'] as const;

const NOTHING: StoredAmount = { files: 0, bytes: 0 };
const NO_LIMITS: StorageLimits = { files: null, bytes: null };

/**
 * How much may be stored: by an account, by a guest, and in all. A quota counts the originals of media as they are
 * stored; the total counts their variants too.
 */
@Injectable()
export class QuotasService {
  constructor(
    private readonly database: Database,
    private readonly repository: QuotaRepository,
    private readonly audit: AuditLog,
    private readonly config: QuotasConfig,
  ) {}

  /** What an account or a guest stores and may store. */
  async findUse(userId: number): Promise<StorageUse> {
    const [own, used] = await Promise.all([
      this.repository.findOwn(userId),
      this.repository.findUsed(userId),
    ]);
    return { used, limits: own ? this.limitsOf(own) : NO_LIMITS };
  }

  /** How much a visitor who is not a guest yet stores and may store. */
  useOfNewGuest(): StorageUse {
    return { used: NOTHING, limits: this.limitsOf({ isGuest: true, files: null, bytes: null }) };
  }

  /**
   * Throws `InsufficientStorageError` if more can't be stored at this moment. To be called before a body is read;
   * `claim` decides. `userId` is null for media without an owner.
   */
  async assertRoom(userId: number | null, more: StoredAmount): Promise<void> {
    if (userId !== null) {
      const own = await this.repository.findOwn(userId);
      const limits = own ? this.limitsOf(own) : NO_LIMITS;
      if (isLimited(limits)) assertFits({ used: await this.repository.findUsed(userId), limits }, more);
    }
    const limit = this.config.bytesTotal;
    if (limit === null) return;
    const { bytes, variantBytes } = await this.repository.findTotal();
    assertTotal(bytes + variantBytes + more.bytes, limit);
  }

  /**
   * Decides within the caller's transaction whether its new media fit. Simultaneous uploads of one account wait for each
   * other here, so it belongs to the end of the transaction. Throws `InsufficientStorageError`.
   */
  async claim(tx: Transaction, userId: number | null): Promise<void> {
    if (userId !== null) await this.claimOfAccount(tx, userId);
    if (this.config.bytesTotal !== null) await this.claimOfTotal(tx, this.config.bytesTotal);
  }

  /** The quota of a member. Throws `NotFoundError`. */
  async findQuota(username: string): Promise<AccountQuota> {
    return this.quotaOf(await this.findMember(username));
  }

  /** The quota of a member that was found before. Throws `NotFoundError` if it is gone. */
  async quotaOf({ id, username }: { readonly id: number; readonly username: string }): Promise<AccountQuota> {
    const found = await this.repository.findOwnAndUsed(id);
    if (!found) throw new NotFoundError();
    const { own, used } = found;
    return { username, used, limits: this.limitsOf(own), own: { bytes: own.bytes, files: own.files } };
  }

  /**
   * Changes the quota of a member, for the operator. What is stored already stays, even if it is more. Throws
   * `NotFoundError`.
   */
  async changeQuota(username: string, change: QuotaChange): Promise<AccountQuota> {
    const member = await this.findMember(username);
    await this.database.transaction((tx) => this.changeQuotaWithin(tx, member, change, null));
    return this.quotaOf(member);
  }

  /** As `changeQuota`, within the transaction that proves the right of `by`; null for the operator. */
  async changeQuotaWithin(
    tx: Transaction,
    { id, username }: { readonly id: number; readonly username: string },
    change: QuotaChange,
    by: Caller | null,
  ): Promise<void> {
    await this.repository.change(tx, id, change);
    const subject = accountSubject(id, username);
    await this.audit.append(tx, { by, action: 'user.change_quota', subject, detail: { ...change } });
  }

  /** Removes the quota of a deleted account. */
  forget(tx: Transaction, userId: number): Promise<void> {
    return this.repository.remove(tx, userId);
  }

  /** What all accounts store together, and the limit. */
  async findTotal(): Promise<StoredTotal & { readonly limit: number | null }> {
    return { ...(await this.repository.findTotal()), limit: this.config.bytesTotal };
  }

  /**
   * What is stored, of each kind too, its changes by day, and the largest accounts. The latter two lag some seconds
   * behind.
   */
  async findOverview(): Promise<StorageOverview> {
    const [total, kinds, days, largest] = await Promise.all([
      this.repository.findTotal(),
      this.repository.findKinds(),
      this.repository.findDays(DAYS_SHOWN),
      this.repository.findLargest(ACCOUNTS_SHOWN),
    ]);
    return {
      total,
      kinds: KINDS.map(
        (kind) => kinds.find((one) => one.kind === kind) ?? { kind, ...NOTHING, variantBytes: 0 },
      ),
      bytesLimit: this.config.bytesTotal,
      days,
      largest: largest.map(({ own, ...account }) => ({ ...account, limits: this.limitsOf(own) })),
    };
  }

  /** Adds all changes of media to the counts. Safe in several processes at once. */
  async foldAll(): Promise<void> {
    while ((await this.database.transaction((tx) => this.repository.fold(tx, BATCH))) === BATCH);
  }

  /** Counts everything again from the media, for example after a bulk load without triggers. */
  async recountAll(): Promise<void> {
    await this.database.snapshot((tx) => this.repository.recountAll(tx));
  }

  /** The number of counts that differ from the media. `tx` must run on a snapshot. */
  countDifferences(tx: Transaction): Promise<StorageCountDifferences> {
    return this.repository.countDifferences(tx);
  }

  private async claimOfAccount(tx: Transaction, userId: number): Promise<void> {
    const own = await this.repository.findOwn(userId, tx);
    if (!own) return;
    const limits = this.limitsOf(own);
    if (!isLimited(limits)) return;
    await this.repository.lockAccount(tx, userId);
    // A separate statement, so that it sees what was committed before the lock.
    assertFits({ used: await this.repository.findUsed(userId, tx), limits }, NOTHING);
  }

  private async claimOfTotal(tx: Transaction, limit: number): Promise<void> {
    const find = async (): Promise<number> => {
      const { bytes, variantBytes } = await this.repository.findTotal(tx);
      return bytes + variantBytes;
    };
    const isNear = (await find()) > limit - NEAR_TOTAL_BYTES;
    await this.repository.lockTotal(tx, isNear ? 'exclusive' : 'shared');
    assertTotal(await find(), limit);
  }

  private async findMember(username: string): Promise<{ readonly id: number; readonly username: string }> {
    const member = USERNAME_PATTERN.test(username) ? await this.repository.findMember(username) : null;
    if (!member) throw new NotFoundError();
    return member;
  }

  private limitsOf({ isGuest, bytes, files }: OwnQuota): StorageLimits {
    const { bytesPerGuest, filesPerGuest, bytesPerAccount, filesPerAccount } = this.config;
    if (isGuest) return { bytes: bytesPerGuest, files: filesPerGuest };
    return { bytes: bytes ?? bytesPerAccount, files: files ?? filesPerAccount };
  }
}

const isLimited = ({ bytes, files }: StorageLimits): boolean => bytes !== null || files !== null;

function assertTotal(bytes: number, limit: number): void {
  if (bytes > limit) throw new InsufficientStorageError('storage_full');
}
