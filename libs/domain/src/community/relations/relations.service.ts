import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { isModerator, type Viewer } from '../../base/access/viewer';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import {
  type Relation,
  type RelationEntry,
  type RelationKind,
  RelationRepository,
  type Standing,
} from './relation.repository';

/** The largest number of users whom an account may block, and whom it may mute. */
export const MAX_RELATIONS = 1000;

/** Lists leave out at most so many of the accounts that block the viewer; single items are always checked. */
const MAX_BLOCKERS = 5000;

const NO_STANDING: Standing = { blocks: false, isBlocked: false, mutes: false };

/** The people of whom a viewer sees nothing in lists. */
export type Hidden = ReadonlySet<number>;

const NOBODY: Hidden = new Set();

/**
 * Who can see and contact whom. If one account blocks another, neither can see or contact the other; if one mutes
 * another, its own lists leave the other out. Blocks by others don't bind staff, so that nobody can hide from
 * moderation.
 */
@Injectable()
export class RelationsService {
  constructor(
    private readonly database: Database,
    private readonly repository: RelationRepository,
  ) {}

  /** How the viewer stands to an account. */
  async findStanding(viewer: Viewer, userId: number | null): Promise<Standing> {
    if (viewer === null || userId === null || userId === viewer.userId) return NO_STANDING;
    const standing = await this.repository.findStanding({ ownerId: viewer.userId, otherId: userId });
    return isModerator(viewer) ? { ...standing, isBlocked: false } : standing;
  }

  /** Throws `NotFoundError` if the viewer and the owner of an item, or an account, don't see each other. */
  async assertVisible(viewer: Viewer, ownerId: number | null): Promise<void> {
    const { blocks, isBlocked } = await this.findStanding(viewer, ownerId);
    if (isBlocked || (blocks && !isModerator(viewer))) throw new NotFoundError();
  }

  /** As `assertVisible`, within a transaction that changes something of the owner. */
  async assertReachable(tx: Transaction, viewer: Viewer, ownerId: number | null): Promise<void> {
    if (!(await this.isReachable(tx, viewer, ownerId))) throw new NotFoundError();
  }

  /** Whether the viewer may change something of an owner as far as blocks are concerned, within the caller's transaction. */
  async isReachable(tx: Transaction, viewer: Viewer, ownerId: number | null): Promise<boolean> {
    if (viewer === null || ownerId === null || ownerId === viewer.userId || isModerator(viewer)) return true;
    return !(await this.repository.isBlockedBetween(tx, viewer.userId, ownerId));
  }

  /** The people whom the viewer's lists leave out: whom they block or mute, and who blocks them. */
  async findHidden(viewer: Viewer): Promise<Hidden> {
    if (viewer === null) return NOBODY;
    const ids = await this.repository.findHidden(viewer.userId, !isModerator(viewer), MAX_BLOCKERS);
    return ids.length === 0 ? NOBODY : new Set(ids);
  }

  /** Those of some accounts that the viewer doesn't see because of a block, however many there are. */
  async findBlockedAmong(viewer: Viewer, userIds: readonly (number | null)[]): Promise<Hidden> {
    if (viewer === null || isModerator(viewer)) return NOBODY;
    const others = [...new Set(userIds)].filter((id) => id !== null && id !== viewer.userId);
    if (others.length === 0) return NOBODY;
    return this.repository.findBlockedAmong(viewer.userId, others as number[]);
  }

  /**
   * Removes the items of hidden people from a page. `hidden` are those whom `findHidden` has found, if any; for viewers who
   * are blocked by more people than it finds, the authors of the page are checked one by one.
   */
  async removeHidden<Item>(
    items: readonly Item[],
    hidden: Hidden | undefined,
    viewer: Viewer,
    ownerOf: (item: Item) => number | null,
  ): Promise<readonly Item[]> {
    if (hidden === undefined) return items;
    const further =
      hidden.size < MAX_BLOCKERS ? NOBODY : await this.findBlockedAmong(viewer, items.map(ownerOf));
    return items.filter((item) => {
      const owner = ownerOf(item);
      return owner === null || !(hidden.has(owner) || further.has(owner));
    });
  }

  /**
   * Blocks or mutes; returns whether the relation is new. The owner's row must be locked, so that simultaneous calls
   * cannot exceed the limit. Throws `InvalidFieldsError` on `username` if the owner has reached it.
   */
  async add(tx: Transaction, kind: RelationKind, relation: Relation): Promise<boolean> {
    if (!(await this.repository.insert(tx, kind, relation))) return false;
    if ((await this.repository.count(tx, kind, relation.ownerId)) > MAX_RELATIONS) {
      throw new InvalidFieldsError({
        username: [`You cannot ${kind} more than ${MAX_RELATIONS} users.`],
      });
    }
    return true;
  }

  /** Ends a block or mute. Idempotent. */
  async remove(kind: RelationKind, relation: Relation): Promise<void> {
    await this.database.transaction((tx) => this.repository.remove(tx, kind, relation));
  }

  /** One page of the users whom an account blocks or mutes, the latest first, and their number. */
  findPage(
    kind: RelationKind,
    ownerId: number,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly entries: readonly RelationEntry[]; readonly total: number }> {
    return this.repository.findPage(kind, ownerId, part);
  }

  /** Removes up to `batch` blocks and mutes by or of a deleted account. Returns 0 if none are left. */
  eraseRelationsOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeOf(tx, userId, batch));
  }
}
