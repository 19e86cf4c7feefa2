import type { Comment } from '@vitrine/client';
import * as fc from 'fast-check';
import { type CommentNode, treeOf } from './comment-tree';

const comment = (id: number, parent: number | null): Comment => ({
  id,
  parent_id: parent,
  post_id: 1,
  user_id: 1,
  content: `Comment ${id}`,
  score: 0,
  isUpvotedByUser: false,
  isDownvotedByUser: false,
  replies_count: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  edited_at: null,
  user: { username: 'somebody', avatar: null },
});

/** Pages of comments in any order; some are replies to comments that aren't on the page. */
const pages = fc
  .array(fc.nat(), { maxLength: 40 })
  .map((choices) => choices.map((choice, i) => comment(i + 1, choice % (i + 1) || null)))
  .chain((all) => fc.shuffledSubarray(all));

const flat = (nodes: readonly CommentNode[]): CommentNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.replies)]);

const idsOf = (nodes: readonly CommentNode[]): number[] => nodes.map((node) => node.comment.id);

describe('comment tree', () => {
  it('contains each comment once, below its parent if that is on the page', () => {
    fc.assert(
      fc.property(pages, (page) => {
        const tree = treeOf(page, 'top');
        expect(idsOf(flat(tree)).sort((a, b) => a - b)).toEqual(
          page.map(({ id }) => id).sort((a, b) => a - b),
        );
        for (const { comment: parent, replies } of flat(tree)) {
          for (const reply of replies) expect(reply.comment.parent_id).toBe(parent.id);
          for (const reply of replies) expect(reply.parent).toBe(parent);
        }
        for (const root of tree) {
          expect(root.parent).toBeNull();
          expect(page.some(({ id }) => id === root.comment.parent_id)).toBe(false);
        }
      }),
    );
  });

  it.each(['oldest', 'top', 'latest'] as const)('keeps the order of the page: %s', (sort) => {
    fc.assert(
      fc.property(pages, (page) => {
        const positions = idsOf(treeOf(page, sort)).map((id) => page.findIndex((one) => one.id === id));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
      }),
    );
  });

  it('sorts replies from the oldest to the newest if the page is sorted by latest', () => {
    const page = [comment(5, 1), comment(4, null), comment(3, 1), comment(2, 1), comment(1, null)];
    const tree = treeOf(page, 'latest');
    expect(idsOf(tree)).toEqual([4, 1]);
    expect(idsOf(tree[1]!.replies)).toEqual([2, 3, 5]);
    expect(idsOf(treeOf(page, 'top')[1]!.replies)).toEqual([5, 3, 2]);
  });
});
