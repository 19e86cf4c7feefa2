import type { Media } from '@vitrine/client';
import { describeWithChromium, eventually, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Locator, Page } from 'playwright-core';
import { audit } from './support/audit';
import { queueViews, uploadView } from './support/moderation-queue';
import { DESK, PHONE, useBrowser, type Visitor, type VisitorOptions } from './support/visitor';

describeWithChromium('the moderation queue', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let moderator: Person;
  let owner: Person;
  let visitor: Visitor;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    [moderator, owner] = await Promise.all([
      stack.createPerson('mona', { role: 'moderator' }),
      stack.createPerson('owen'),
    ]);
  });
  afterEach(async () => {
    await stack.sql('delete from moderation_queue');
    await stack.sql('delete from reports');
  });

  const uploaded = (): Promise<Media> => uploadView(owner);
  const queued = (count: number): Promise<Media[]> => queueViews(stack, owner, count);

  async function visit(options?: VisitorOptions, as = moderator): Promise<Visitor> {
    visitor = await arrive({ as, ...options });
    return visitor;
  }

  async function visitQueue(): Promise<Page> {
    const { page } = await visit();
    await page.goto('/moderation');
    return page;
  }

  const cardOf = ({ slug }: Media): Locator => visitor.page.locator(`#media-${slug}`);
  const cardIds = (): Promise<string[]> =>
    visitor.page.locator('.queue-card').evaluateAll((cards) => cards.map(({ id }) => id));
  const focused = (): Promise<string> => visitor.page.evaluate(() => document.activeElement?.id ?? '');
  const statusOf = async ({ slug }: Media): Promise<string> =>
    (await moderator.client.media.get(slug)).moderation_status;
  const becomes = (media: Media, status: string): Promise<void> =>
    eventually(async () => expect(await statusOf(media)).toBe(status));

  // Promise [website]: The queue requests no file until the moderator opens it.
  it('neither shows nor requests a file until the moderator opens it', async () => {
    const [one, two] = await queued(2);
    // The automatic check writes such a decision when it queues an item; the card shows its scores.
    await stack.sql(
      `insert into moderation_decisions (subject, subject_id, slug, decided_by, from_status, to_status, reason, scores)
       select 'media', media_id, $2, 'system', 'pending', 'pending', 'classifier_unsure', scores
       from moderation_queue where media_id = $1`,
      [one!.id, one!.slug],
    );
    const { page } = await visit();
    const files: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(stack.cdnUrl)) files.push(request.url());
    });
    await page.goto('/moderation');
    await audit(page, 'moderation');
    const card = await cardOf(one!).innerText();
    expect(card).toContain('Automatic check: unsure');
    expect(card).toMatch(/Unsafe\s*41\s?%/);
    expect(files).toEqual([]);

    await page.keyboard.press('j');
    await page.keyboard.press(' ');
    await cardOf(one!).locator('.preview-file img').click();
    expect(files).toEqual([one!.urls.md]);
    expect(await page.locator('.preview[open]').count()).toBe(0);

    // A long press shows the file only while it lasts.
    await cardOf(two!).locator('.preview summary').hover();
    await page.mouse.down();
    await cardOf(two!).locator('.preview-file img').waitFor();
    await page.waitForFunction(
      (since) => performance.now() - since > 400,
      await page.evaluate(() => performance.now()),
    );
    await page.mouse.up();
    await cardOf(two!).locator('.preview-file img').waitFor({ state: 'hidden' });

    // A finger that scrolls the page shows nothing.
    const summary = cardOf(two!).locator('.preview summary');
    const finger = { pointerType: 'touch', pointerId: 7, bubbles: true };
    await summary.dispatchEvent('pointerdown', finger);
    await summary.dispatchEvent('pointercancel', finger);
    expect(await page.locator('.preview[open]').count()).toBe(0);

    // An opened preview is closed when the focus moves on.
    await page.keyboard.press(' ');
    expect(await page.locator('.preview[open]').count()).toBe(1);
    await page.keyboard.press('k');
    expect(await page.locator('.preview[open]').count()).toBe(0);
    visitor.assertClean();
  });

  // Promise [website]: Moderators decide with one key, and can undo decisions.
  it('focuses the next card after a decision by one key, and sends decisions later', async () => {
    const [one, two, three] = await queued(3);
    const page = await visitQueue();
    await page.keyboard.press('a');
    expect(await focused()).toBe(`media-${two!.slug}`);
    await page.keyboard.press('n');
    expect(await focused()).toBe(`media-${three!.slug}`);
    await page.keyboard.press('r');
    await page.getByText('The queue is empty.').waitFor();
    expect(await focused()).toBe('queue-empty');
    await Promise.all([becomes(one!, 'approved'), becomes(two!, 'nsfw'), becomes(three!, 'rejected')]);
    const { data } = await moderator.client.moderation.decisions.list({ limit: 3 });
    expect(data.map(({ decided_by: by, reason }) => [by, reason])).toEqual(
      Array(3).fill(['mona', 'moderator']),
    );
    visitor.assertClean();
  });

  it('undoes a decision before it is sent', async () => {
    const [one, two] = await queued(2);
    const { page } = await visit();
    await page.clock.install();
    // Otherwise a slow test would press `u` too late.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto('/moderation');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    await page.keyboard.press('u');
    expect(await focused()).toBe(`media-${two!.slug}`);
    await page.keyboard.press('u');
    expect(await focused()).toBe(`media-${one!.slug}`);
    expect(await cardIds()).toEqual([`media-${one!.slug}`, `media-${two!.slug}`]);
    // Leaving the page sends pending decisions, but there are none.
    await page.goto('/moderation/decisions');
    expect(sent).toEqual([]);
    expect(await statusOf(one!)).toBe('pending');
    visitor.assertClean();
  });

  it('sends pending decisions when the page is left, also those on their way', async () => {
    const [one, two] = await queued(2);
    const page = await visitQueue();
    const isOnItsWay = page.evaluate(
      () =>
        new Promise<void>((begun) => {
          window.fetch = () => {
            begun();
            return new Promise(() => undefined);
          };
        }),
    );
    await page.keyboard.press('a');
    await isOnItsWay;
    await page.keyboard.press('n');
    await page.goto('/tags');
    await Promise.all([becomes(one!, 'approved'), becomes(two!, 'nsfw')]);
    visitor.assertClean();
  });

  it('rejects and bans after a confirmation, and undoes both', async () => {
    const media = await uploaded();
    await moderator.client.moderation.ruleOnMedia(media.slug, { status: 'approved', reason: 'fine' });
    const stranger = await stack.createPerson('rita');
    await stranger.client.reports.create({ type: 'media', target: media.slug, reason: 'copyright' });
    const page = await visitQueue();
    await page.keyboard.press('b');
    await audit(page, 'moderation-ban');
    const question = page.locator('#ban-dialog');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await cardOf(media).waitFor();
    await page.keyboard.press('b');
    await question.waitFor();
    await page.keyboard.press('b');
    await becomes(media, 'rejected');
    const bans = async (): Promise<number> => (await moderator.client.moderation.hashes.list()).meta.total;
    expect(await bans()).toBeGreaterThan(0);

    await page.keyboard.press('u');
    await cardOf(media).waitFor();
    expect(await statusOf(media)).toBe('approved');
    expect(await bans()).toBe(0);
    expect(await focused()).toBe(`media-${media.slug}`);
    visitor.assertClean();
  });

  it('undoes an executed decision, which restores the reports in the queue', async () => {
    const [media] = await queued(1);
    const post = await owner.client.posts.create({ media_ids: [media!.id], title: 'Two reports' });
    const stranger = await stack.createPerson('ruth');
    for (const [type, { slug }] of [
      ['media', media!],
      ['post', post],
    ] as const) {
      const details = `About the ${type}`;
      await stranger.client.reports.create({ type, target: slug, reason: 'abuse', details });
    }
    const queue = async (): Promise<unknown[]> => (await moderator.client.moderation.queue.list()).data;
    expect(await queue()).toHaveLength(2);
    const page = await visitQueue();
    await page.keyboard.press('r');
    await page.keyboard.press('a');
    await eventually(async () => expect(await queue()).toEqual([]));

    await page.keyboard.press('u');
    await page.locator(`#post-${post.slug}`).waitFor();
    await page.keyboard.press('u');
    await cardOf(media!).waitFor();
    expect(await focused()).toBe(`media-${media!.slug}`);
    expect(await statusOf(media!)).toBe('pending');
    expect((await moderator.client.posts.get(post.slug)).moderation_status).toBe('pending');
    expect(await queue()).toMatchObject([
      { type: 'media', reports: 1, latest_reports: [{ details: 'About the media' }] },
      { type: 'post', reports: 1, latest_reports: [{ details: 'About the post' }] },
    ]);
    visitor.assertClean();
  });

  it('shows a card once if a refresh brings it before the response to its undo', async () => {
    const [media] = await queued(1);
    const { page } = await visit();
    await page.clock.install();
    await page.goto('/moderation');
    await page.keyboard.press('r');
    await page.clock.runFor(5_000);
    await page.route('**/moderation/undo', async (route) => {
      const response = await route.fetch();
      await page.clock.runFor(20_000);
      await cardOf(media!).waitFor();
      await route.fulfill({ response });
    });
    await page.keyboard.press('u');
    await page.getByText('The decision was undone.').waitFor();
    expect(await cardIds()).toEqual([`media-${media!.slug}`]);
    expect(await page.locator('#queue-total').innerText()).toBe('1 waiting');
    visitor.assertClean();
  });

  it('puts a card back with the reason if the decision failed, unless the item was deleted', async () => {
    const [broken, gone, fine] = await queued(3);
    await stack.sql("update media set processing_error = 'no picture', processed = false where id = $1", [
      broken!.id,
    ]);
    const page = await visitQueue();
    await owner.client.media.delete(gone!.slug);
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await cardOf(broken!).getByText('Decision not saved: The selected status is invalid.').waitFor();
    await becomes(broken!, 'pending');
    expect(await cardOf(gone!).count()).toBe(0);
    expect(await cardOf(fine!).count()).toBe(1);
    visitor.assertClean([/422/, /404/]);
  });

  it('shows the current post if it has changed since the moderator saw it', async () => {
    const media = await uploaded();
    const { slug } = await owner.client.posts.create({ media_ids: [media.id], title: 'A view' });
    const { client } = await stack.createPerson('rosa');
    await client.reports.create({ type: 'post', target: slug, reason: 'spam' });
    const { page } = await visit();
    const card = page.locator(`#post-${slug}`);
    await page.goto('/moderation');
    await owner.client.posts.update(slug, { title: 'Buy now' });
    await card.getByRole('button', { name: 'Approve' }).click();
    // The page sends decisions by itself, so the test doesn't have to leave it.
    await card.locator('[data-error]').waitFor();
    expect(await card.locator('h2').innerText()).toContain('Buy now');
    expect(await card.locator('[data-error]').innerText()).toContain('has changed since you saw it');
    await card.getByRole('button', { name: 'NSFW' }).click();
    await eventually(async () => {
      expect((await moderator.client.posts.get(slug)).moderation_status).toBe('nsfw');
    });
  });

  it('loads more cards before the last one is decided', async () => {
    const media = await queued(24);
    const page = await visitQueue();
    expect(await page.locator('.queue-card').count()).toBe(20);
    for (const one of media.slice(0, 15)) {
      await page.waitForFunction(
        (id) => document.querySelector('.queue-card')?.id === id,
        `media-${one.slug}`,
      );
      await page.keyboard.press('c');
      await page.keyboard.press('n');
    }
    await cardOf(media[23]!).waitFor();
    expect(await cardIds()).toEqual(media.slice(15).map(({ slug }) => `media-${slug}`));
    await page.getByText('9 waiting').waitFor();
    visitor.assertClean();
  });

  it('shows reports on posts, comments and accounts', async () => {
    const media = await uploaded();
    const post = await owner.client.posts.create({ media_ids: [media.id], title: 'Watches, cheap' });
    const comment = await owner.client.comments.create(post.slug, { content: 'Buy now' });
    const stranger = await stack.createPerson('rolf');
    await stranger.client.reports.create({
      type: 'comment',
      target: comment.id,
      reason: 'spam',
      details: 'An ad',
    });
    await stranger.client.reports.create({ type: 'user', target: 'owen', reason: 'other' });
    await stranger.client.reports.create({ type: 'post', target: post.slug, reason: 'spam' });
    const { page } = await visit({ width: PHONE, dark: true });
    await page.goto('/moderation');
    await page.getByText('An ad').waitFor();
    await audit(page, 'moderation-reports');

    const press = (name: string, card: string): Promise<void> =>
      page.locator(card).getByRole('button', { name }).click();
    await press('Delete comment', `#comment-${comment.id}`);
    await press('Dismiss reports', '#user-owen');
    await press('Dismiss reports', `#post-${post.slug}`);
    await eventually(async () => {
      const { data } = await moderator.client.moderation.queue.list();
      expect(data).toEqual([]);
    });
    expect((await moderator.client.comments.on(post.slug).list()).data).toEqual([]);
    visitor.assertClean();
  });

  it('works with plain forms without scripts', async () => {
    const [one, two] = await queued(2);
    const { page } = await visit({ javaScript: false });
    await page.goto('/moderation');
    await cardOf(one!).getByRole('button', { name: 'NSFW' }).click();
    await page.getByText('Marked as NSFW:').waitFor();
    expect(await statusOf(one!)).toBe('nsfw');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision was undone.', { exact: true }).waitFor();
    expect(await statusOf(one!)).toBe('pending');

    await page.goto('/moderation');
    await cardOf(two!).getByRole('link', { name: 'Reject and ban' }).click();
    await page.getByText('Nobody can upload them again').waitFor();
    await page.getByRole('button', { name: 'Reject and ban' }).click();
    await page.getByText('changed to').first().waitFor();
    expect(await statusOf(two!)).toBe('rejected');

    await page.goto('/moderation/hashes');
    const lift = page.getByRole('button', { name: /^Lift ban/ });
    for (let left = await lift.count(); left > 0; left--) await lift.first().click();
    await page.getByText('There are no bans.').waitFor();
  });

  it('ignores single keys in text fields, and when they are turned off', async () => {
    const [one] = await queued(1);
    const page = await visitQueue();
    await cardOf(one!).getByText('Add a note').click();
    await cardOf(one!).getByRole('textbox').fill('a');
    await page.keyboard.type('narcbu?');
    expect(await cardOf(one!).count()).toBe(1);
    await cardOf(one!).focus();
    await page.keyboard.press('?');
    await page.getByLabel('Use single-key shortcuts').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.keyboard.press('a');
    expect(await cardOf(one!).count()).toBe(1);
    visitor.assertClean();
  });

  it('lists bans, adds new ones, and shows errors', async () => {
    const { page } = await visit({ width: DESK });
    await page.goto('/moderation/hashes');
    await page.getByText('Ban a hash').click();
    await page.getByLabel('Hash').fill('0'.repeat(64));
    await page.getByLabel('Reason').fill('A known one');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    // The form is not sent again while the next page loads.
    await page.evaluate(() =>
      addEventListener('pagehide', () =>
        document.querySelector<HTMLFormElement>('form[data-enhance="go"]')?.requestSubmit(),
      ),
    );
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText('A known one').waitFor();
    expect(sent).toHaveLength(1);
    await audit(page, 'moderation-hashes');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: /^Lift ban/ }).click();
    await page.getByText('There are no bans.').waitFor();
    await page.goto('/moderation/decisions?type=media');
    await audit(page, 'moderation-decisions');
    visitor.assertClean();
  });
});
