import type { Comment, CreatedPost } from '@vitrine/client';
import { describeWithChromium, type Stack, borrowStack } from '@vitrine/testing';
import { audit } from '../support/audit';
import { fillGallery, type Gallery } from '../support/gallery';
import { DESK, PHONE, useBrowser, type Visitor, type VisitorOptions } from '../support/visitor';

interface Shown extends Gallery {
  readonly secret: CreatedPost;
  readonly comment: Comment;
}

type Who = 'visitor' | 'grace' | 'ada' | 'moderator' | 'admin';

/** Name of the screenshot, visitor, path, and the status if it isn't 200. */
type PageUnderTest = readonly [
  name: string,
  who: Who,
  path: string | ((shown: Shown) => string),
  status?: number,
];

const PAGES: readonly PageUnderTest[] = [
  ['feed', 'visitor', '/'],
  ['feed-page-2', 'visitor', '/?page=2'],
  ['feed-random', 'grace', '/?sort=random'],
  ['tag', 'visitor', '/t/hills'],
  ['tags', 'visitor', '/tags'],
  ['search', 'visitor', '/search?q=walk'],
  ['search-people', 'visitor', '/search?q=grac&type=people'],
  ['search-tags', 'visitor', '/search?q=wlks&type=tags'],
  ['feed-following', 'grace', '/?sort=following'],
  ['search-nothing', 'visitor', '/search?q=nothingofthekind'],
  ['search-empty', 'visitor', '/search'],
  ['preferences', 'visitor', '/preferences'],
  ['post', 'visitor', ({ post }) => `/p/${post.slug}`],
  ['post-member', 'grace', ({ post }) => `/p/${post.slug}`],
  ['post-owner', 'ada', ({ post }) => `/p/${post.slug}`],
  [
    'post-private',
    'visitor',
    ({ secret }) => `/p/${secret.slug}?${new URLSearchParams({ key: secret.access_key ?? '' }).toString()}`,
  ],
  ['comment', 'grace', ({ post, comment }) => `/p/${post.slug}/comments/${comment.id}`],
  ['comment-edit', 'grace', ({ post, comment }) => `/p/${post.slug}/comments/${comment.id}/edit`],
  ['post-statistics', 'ada', ({ post }) => `/p/${post.slug}/statistics`],
  ['saved', 'grace', '/saved'],
  ['report-visitor', 'visitor', ({ post }) => `/reports?type=post&target=${post.slug}`],
  ['report', 'grace', ({ post }) => `/reports?type=post&target=${post.slug}`],
  ['files', 'ada', '/files'],
  ['post-edit', 'ada', ({ post }) => `/p/${post.slug}/edit`],
  ['media', 'visitor', ({ image }) => `/m/${image.slug}`],
  ['media-animation', 'visitor', ({ animation }) => `/m/${animation.slug}`],
  ['media-video', 'visitor', ({ video }) => `/m/${video.slug}`],
  ['media-owner', 'ada', ({ image }) => `/m/${image.slug}`],
  ['embed', 'visitor', ({ video }) => `/e/${video.slug}`],
  ['profile', 'visitor', '/u/ada'],
  ['profile-own', 'ada', '/u/ada'],
  ['profile-media', 'visitor', '/u/ada/media'],
  ['profile-comments', 'visitor', '/u/grace/comments'],
  ['profile-followers', 'grace', '/u/ada/followers'],
  ['profile-following', 'visitor', '/u/grace/following'],
  ['profile-empty', 'visitor', '/u/mo_derator'],
  ['profile-block', 'grace', '/u/mo_derator/block'],
  ['notifications', 'ada', '/notifications'],
  ['settings-notifications', 'ada', '/settings/notifications'],
  ['settings-blocks', 'ada', '/settings/blocks'],
  ['settings-mutes', 'ada', '/settings/mutes'],
  ['feed-top', 'visitor', '/?sort=top&period=week'],
  ['login', 'visitor', '/login'],
  ['register', 'visitor', '/register'],
  ['forgot-password', 'visitor', '/forgot-password'],
  ['reset-password', 'visitor', '/reset-password?code=x'],
  ['verify-email', 'visitor', '/verify-email?code=x'],
  ['upload-guest', 'visitor', '/upload'],
  ['upload', 'ada', '/upload'],
  ['upload-to-post', 'ada', ({ post }) => `/upload?post=${post.slug}`],
  ['settings', 'ada', '/settings'],
  ['settings-security', 'ada', '/settings/security'],
  ['settings-tokens', 'ada', '/settings/tokens'],
  ['settings-webhooks', 'ada', '/settings/webhooks'],
  ['settings-webhook', 'ada', ({ webhook }) => `/settings/webhooks/${webhook.id}`],
  ['settings-avatar', 'ada', '/settings/avatar'],
  ['settings-delete', 'ada', '/settings/delete'],
  ['settings-invites', 'moderator', '/settings/invites'],
  ['developers', 'visitor', '/developers'],
  ['developers-posts', 'visitor', '/developers/posts'],
  ['moderation', 'moderator', '/moderation'],
  ['moderation-post', 'moderator', ({ post }) => `/moderation/post/${post.slug}`],
  ['moderation-media', 'moderator', ({ image }) => `/moderation/media/${image.slug}`],
  ['moderation-user', 'moderator', '/moderation/user/ada'],
  ['moderation-applications', 'moderator', '/moderation/applications'],
  ['moderation-hashes', 'moderator', '/moderation/hashes'],
  ['moderation-decisions', 'moderator', '/moderation/decisions'],
  ['admin', 'admin', '/admin'],
  ['admin-person', 'admin', '/admin/people/ada'],
  ['admin-person-delete', 'admin', '/admin/people/ada/delete'],
  ['admin-person-reset-link', 'admin', '/admin/people/ada/reset-link'],
  ['admin-person-second-factors', 'admin', '/admin/people/ada/second-factors'],
  ['admin-settings', 'admin', '/admin/settings'],
  ['admin-storage', 'admin', '/admin/storage'],
  ['admin-work', 'admin', '/admin/work'],
  ['admin-audit-log', 'admin', '/admin/audit-log'],
  ['not-found', 'visitor', '/p/nothere', 404],
  ['forbidden', 'grace', '/moderation', 403],
];

describeWithChromium('every page', () => {
  let stack: Stack;
  const { start, arrive } = useBrowser({ keepVisits: true });
  let shown: Shown;
  const visitors = new Map<string, Visitor>();

  beforeAll(async () => {
    stack = await start(borrowStack());
    const gallery = await fillGallery(stack);
    // Items for the moderation queue.
    const { ada, grace, admin, post, image } = gallery;
    // An entry of the audit log.
    await admin.client.invites.create();
    await stack.sql(
      `insert into bus_reports (queue, waiting, dead, letters) values ('elsewhere.media.deleted', 3, 1, $1)`,
      [
        JSON.stringify([
          { id: '1', type: 'media.deleted', reason: 'No.', attempts: 5, died_at: '2026-11-03T10:00:00Z' },
        ]),
      ],
    );
    await stack.sql(
      `insert into storage_days (day, files, bytes, variant_bytes)
       values (current_date - 9, 3, 3000000, 500000), (current_date - 5, -1, -900000, -90000)`,
    );
    await grace.client.reports.create({
      type: 'post',
      target: post.slug,
      reason: 'spam',
      details: 'Look here.',
    });
    await grace.client.reports.create({ type: 'media', target: image.slug, reason: 'copyright' });
    const { data: comments } = await stack.client().comments.on(post.slug).list();
    shown = {
      ...gallery,
      comment: comments[0]!,
      secret: await ada.client.posts.create({
        media_ids: [image.id],
        title: 'For a few',
        visibility: 'private',
      }),
    };
  });

  const visitorFor = async (who: Who, options: VisitorOptions): Promise<Visitor> => {
    const key = `${who} ${options.width}`;
    const known = visitors.get(key);
    if (known) return known;
    const visitor = await arrive({ as: who === 'visitor' ? undefined : shown[who], ...options });
    visitors.set(key, visitor);
    return visitor;
  };

  // Colours don't depend on the width. feed-in-browser.drill.spec.ts audits what frames all pages in all four combinations.
  describe.each([
    [PHONE, false],
    [DESK, true],
  ] as const)('%d px wide, dark: %s', (width, dark) => {
    const pages = PAGES.map(([name, who, path, status = 200]) => ({ name, who, path, status }));
    // Promise [website]: Every page has no axe problem, valid HTML and no layout shift, in both themes, on
    // phones and desktops.
    it.each(pages)('$name, as $who sees it, passes the audit', async ({ name, who, path, status }) => {
      const { page, assertClean } = await visitorFor(who, { width, dark });
      const answer = await page.goto(typeof path === 'string' ? path : path(shown));
      expect(answer?.status()).toBe(status);
      await audit(page, `page-${name}`);
      assertClean(status === 200 ? [] : [new RegExp(`status of ${status}`)]);
    });
  });
});
