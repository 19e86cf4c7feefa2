import fc from 'fast-check';
import { canDeleteComment, deleteFromThread, type ThreadLink } from './comment.rules';

const link = (id: number, fields: Partial<ThreadLink> = {}): ThreadLink => ({
  id,
  parentId: null,
  repliesCount: 0,
  isTombstone: false,
  ...fields,
});

describe('deleteFromThread', () => {
  it('leaves a tombstone only for a comment with replies', () => {
    expect(deleteFromThread([link(1)])).toEqual({ tombstone: null, gone: [1], losesReply: null });
    expect(deleteFromThread([link(1, { repliesCount: 2 })])).toEqual({
      tombstone: 1,
      gone: [],
      losesReply: null,
    });
  });

  it('removes the tombstones above it, up to one with other replies or a comment', () => {
    const [reply, alone] = [link(9, { parentId: 5 }), link(5, { repliesCount: 1, isTombstone: true })];
    expect(deleteFromThread([reply, alone, { ...alone, id: 3 }, link(2, { repliesCount: 1 })])).toEqual({
      tombstone: null,
      gone: [9, 5, 3],
      losesReply: 2,
    });
    expect(deleteFromThread([reply, { ...alone, repliesCount: 2 }])).toMatchObject({
      gone: [9],
      losesReply: 5,
    });
    expect(deleteFromThread([reply, alone])).toMatchObject({ gone: [9, 5], losesReply: null });
  });

  /** A thread changed by the rule, and a simple model of it to compare with. */
  class Thread {
    readonly comments = new Map<
      number,
      { parentId: number | null; repliesCount: number; isTombstone: boolean }
    >();
    readonly living = new Set<number>();
    private last = 0;

    reply(parentId: number | null): void {
      const id = ++this.last;
      this.comments.set(id, { parentId, repliesCount: 0, isTombstone: false });
      this.living.add(id);
      const parent = parentId === null ? undefined : this.comments.get(parentId);
      if (parent) parent.repliesCount++;
    }

    remove(id: number): void {
      const chain: ThreadLink[] = [];
      for (let at: number | null = id; at !== null;) {
        const comment = this.get(at);
        chain.push({ id: at, ...comment });
        at = comment.parentId;
      }
      const { tombstone, gone, losesReply } = deleteFromThread(chain);
      this.living.delete(id);
      if (tombstone !== null) this.get(tombstone).isTombstone = true;
      for (const one of gone) this.comments.delete(one);
      if (losesReply !== null) this.get(losesReply).repliesCount--;
    }

    private get(id: number) {
      const comment = this.comments.get(id);
      if (!comment) throw new Error(`${id} is gone`);
      return comment;
    }
  }

  it('keeps every thread consistent under any sequence of replies and deletions', () => {
    const step = fc.record({ remove: fc.boolean(), pick: fc.nat(), top: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const thread = new Thread();
        for (const { remove, pick, top } of steps) {
          const living = [...thread.living];
          const chosen = living[pick % Math.max(1, living.length)];
          if (remove && chosen !== undefined) thread.remove(chosen);
          else thread.reply(top ? null : (chosen ?? null));

          const entries = [...thread.comments];
          for (const [id, { parentId, repliesCount, isTombstone }] of entries) {
            if (parentId !== null) expect(thread.comments.has(parentId)).toBe(true);
            expect(repliesCount).toBe(entries.filter(([, other]) => other.parentId === id).length);
            expect(thread.living.has(id)).toBe(!isTombstone);
            if (isTombstone) expect(repliesCount).toBeGreaterThan(0);
          }
          for (const id of thread.living) expect(thread.comments.has(id)).toBe(true);
        }
        for (const id of [...thread.living]) thread.remove(id);
        expect(thread.comments.size).toBe(0);
      }),
    );
  });
});

describe('canDeleteComment', () => {
  const viewer = (userId: number, role: 'user' | 'moderator' | 'admin' = 'user') => ({ userId, role });

  it('returns true for the author, the post’s owner and moderators', () => {
    const [comment, post] = [{ userId: 1 }, { userId: 2 }];
    expect(canDeleteComment(comment, post, viewer(1))).toBe(true);
    expect(canDeleteComment(comment, post, viewer(2))).toBe(true);
    expect(canDeleteComment(comment, post, viewer(3))).toBe(false);
    expect(canDeleteComment(comment, post, viewer(3, 'moderator'))).toBe(true);
    expect(canDeleteComment(comment, post, viewer(3, 'admin'))).toBe(true);
    expect(canDeleteComment({ userId: null }, { userId: null }, viewer(3))).toBe(false);
  });
});
