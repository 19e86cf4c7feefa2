import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

const SCRIPT = { Accept: 'application/json' };

describe('comments without scripts', () => {
  let stack: Stack;
  let author: Person;
  let reader: Person;
  let mediaId: number;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [author, reader] = await Promise.all([stack.createPerson('author'), stack.createPerson('reader')]);
    mediaId = (await upload(author.client, await landscape('hills.jpg', 40, 90, 60))).id;
  });
  afterAll(() => stack?.close());

  const newPost = async (
    visibility: 'public' | 'private' = 'public',
  ): Promise<{ slug: string; key: string }> => {
    const post = await author.client.posts.create({ media_ids: [mediaId], title: 'Hills', visibility });
    return { slug: post.slug, key: post.access_key ?? '' };
  };
  const asVisitor = (person?: Person): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);
  const contentsOn = async (slug: string): Promise<string[]> =>
    (await author.client.comments.on(slug).list({ limit: 250 })).data.map(({ content }) => content);

  // Promise [website]: Comments are written, edited, answered, voted on and deleted with forms.
  it('can be written, replied to, voted on and deleted with forms and links', async () => {
    const { slug } = await newPost();
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);

    const posted = await visitor.submit(`/p/${slug}/comments`, { content: 'First line\r\nsecond line' });

    const [first] = (await reader.client.comments.on(slug).list()).data;
    expect([posted.status, posted.location]).toEqual([303, `/p/${slug}?comment=${first!.id}#c${first!.id}`]);
    // The API gets one character for each line break.
    expect(first!.content).toBe('First line\nsecond line');
    const page = await visitor.open(posted.location!.split('#')[0]!);
    expect(page.html).toContain('Your comment was posted.');
    expect(page.html).toContain(`id="c${first!.id}"`);

    const [, replyLink] = /href="([^"]*)" data-reply="reader"/.exec(page.html) ?? [];
    const replies = await visitor.open(replyLink!.replaceAll('&amp;', '&'));
    expect(replies.html).toContain('Reply to reader');
    await visitor.submit(`/p/${slug}/comments`, { content: 'To myself' });
    const { data } = await reader.client.comments.on(slug).list();
    expect(data.map((one) => one.parent_id)).toEqual([null, first!.id]);

    await visitor.open(`/p/${slug}?comments=top`);
    const voted = await visitor.submit(`/comments/${first!.id}/vote`, { direction: 'up' });
    expect(voted.location).toBe(`/p/${slug}?comments=top#c${first!.id}`);
    expect((await reader.client.comments.on(slug).list()).data[0]).toMatchObject({
      score: 1,
      isUpvotedByUser: true,
    });

    await visitor.open(`/p/${slug}`);
    const deleted = await visitor.submit(`/comments/${first!.id}/delete`);
    expect([deleted.status, deleted.location]).toEqual([303, `/p/${slug}#comments`]);
    const after = await visitor.open(`/p/${slug}`);
    expect(after.html).toContain('This comment was deleted.');
    expect(after.html).toContain('To myself');
    expect(after.html).not.toContain('second line');
    expect(after.html).toMatch(/<span data-comment-count[^>]*>1<\/span>/);
  });

  it('are posted once if the form is sent several times', async () => {
    const { slug } = await newPost();
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);
    await visitor.submit(`/p/${slug}/comments`, { content: 'Once' });
    await visitor.submit(`/p/${slug}/comments`, { content: 'Once' });
    expect(await contentsOn(slug)).toEqual(['Once']);
    // With another text after the back button, it is another comment.
    await visitor.submit(`/p/${slug}/comments`, { content: 'Twice' });
    expect(await contentsOn(slug)).toEqual(['Once', 'Twice']);
  });

  it('that the API refuses are shown again with their text and the errors', async () => {
    const { slug } = await newPost();
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);
    const typed = `Too long <b>${'🦊'.repeat(500)}`;

    const refused = await visitor.submit(`/p/${slug}/comments`, { content: typed });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must not be greater than 500 characters');
    expect(visitor.fieldsOf(`/p/${slug}/comments`)['content']).toBe(typed);
    expect((await visitor.submit(`/p/${slug}/comments`, { content: '🦊'.repeat(500) })).status).toBe(303);
    expect(await contentsOn(slug)).toEqual(['🦊'.repeat(500)]);
  });

  it('replying to a deleted comment show an error', async () => {
    const { slug } = await newPost();
    const gone = await reader.client.comments.create(slug, { content: 'Soon gone' });
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}/comments/${gone.id}?post=${slug}`);
    await reader.client.comments.delete(gone.id);

    const refused = await visitor.submit(`/p/${slug}/comments`, { content: 'Too late' });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The comment that you are replying to no longer exists.');
    expect(visitor.fieldsOf(`/p/${slug}/comments`)['content']).toBe('Too late');
    expect((await visitor.open(`/p/${slug}/comments/${gone.id}`)).status).toBe(404);
  });

  it('can be deleted by their author, the post’s author and moderators only', async () => {
    const { slug } = await newPost();
    const [moderator, stranger] = await Promise.all([
      stack.createPerson('moderator_here', { role: 'moderator' }),
      stack.createPerson('stranger'),
    ]);
    const { id } = await reader.client.comments.create(slug, { content: 'Whose?' });
    const offersDeletion = async (visitor: FormVisitor): Promise<boolean> =>
      (await visitor.open(`/p/${slug}`)).html.includes(`/comments/${id}/delete`);

    expect(await offersDeletion(asVisitor())).toBe(false);
    expect(await offersDeletion(asVisitor(stranger))).toBe(false);
    for (const person of [reader, author, moderator]) {
      expect(await offersDeletion(asVisitor(person))).toBe(true);
    }

    const attacker = asVisitor(stranger);
    await attacker.open(`/p/${slug}`);
    const { _token } = attacker.fieldsOf(`/comments/${id}/vote`);
    // The query of the thread only affects the display.
    const path = `/comments/${id}/delete?post=${slug}&author=stranger&next=%2F`;
    expect((await attacker.post(path, { _token: _token! })).status).toBe(403);
    expect(await contentsOn(slug)).toEqual(['Whose?']);

    const owner = asVisitor(author);
    await owner.open(`/p/${slug}`);
    expect((await owner.submit(`/comments/${id}/delete`)).status).toBe(303);
    expect(await contentsOn(slug)).toEqual([]);
  });

  it('can be edited by their author with a form, and show that they were', async () => {
    const { slug, key } = await newPost('private');
    const { id } = await reader.client.comments.create(slug, { content: 'Teh <b>' }, { key });
    const visitor = asVisitor(reader);
    const before = await visitor.open(`/p/${slug}?key=${key}`);
    expect(before.html).not.toContain('comment-edited');
    const [, link] = /href="([^"]*\/edit\?[^"]*)"/.exec(before.html) ?? [];
    const path = link!.replaceAll('&amp;', '&');
    const form = await visitor.open(path);
    expect([form.status, form.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
    const action = `/p/${slug}/comments/${id}/edit`;
    expect(visitor.fieldsOf(action)['content']).toBe('Teh <b>');

    const refused = await visitor.submit(action, { content: 'x'.repeat(501) });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must not be greater than 500 characters');
    const saved = await visitor.submit(action, { content: 'The <b>' });

    expect([saved.status, saved.location]).toEqual([303, `/p/${slug}?key=${key}&comment=${id}#c${id}`]);
    const after = await visitor.open(saved.location!.split('#')[0]!);
    expect(after.html).toMatch(/The &lt;b>[\s\S]*/);
    expect(after.html).toContain('class="comment-edited"');
    expect(after.html).toContain('Your comment was saved.');
    const owner = asVisitor(author);
    expect((await owner.open(`/p/${slug}`)).html).not.toContain(action);
    expect((await owner.open(path)).status).toBe(403);
  });

  it('of a private post keep its key, and are not shown without it', async () => {
    const { slug, key } = await newPost('private');
    const visitor = asVisitor(reader);
    const page = await visitor.open(`/p/${slug}?key=${key}`);
    expect(page.headers.get('Cache-Control')).toContain('no-store');

    const posted = await visitor.submit(`/p/${slug}/comments`, { content: 'Between us' });

    const [comment] = (await author.client.comments.on(slug).list()).data;
    expect(posted.location).toBe(`/p/${slug}?key=${key}&comment=${comment!.id}#c${comment!.id}`);
    await visitor.open(`/p/${slug}?key=${key}`);
    const voted = await visitor.submit(`/comments/${comment!.id}/vote`, { direction: 'up' });
    expect([voted.status, voted.location]).toEqual([303, `/p/${slug}?key=${key}#c${comment!.id}`]);
    const replies = `/p/${slug}/comments/${comment!.id}`;
    expect((await visitor.open(replies)).status).toBe(404);
    const shown = await visitor.open(`${replies}?key=${key}`);
    expect([shown.status, shown.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
  });

  it('redirect only within the site', async () => {
    const { slug } = await newPost();
    const { id } = await reader.client.comments.create(slug, { content: 'Here' });
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);
    const { _token } = visitor.fieldsOf(`/comments/${id}/vote`);
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const path = `/comments/${id}/vote?${new URLSearchParams({ post: slug, next }).toString()}`;
      const { location } = await visitor.post(path, { _token: _token!, direction: 'up' });
      expect(location).toBe(`/#c${id}`);
    }
    const all = await visitor.open(`/p/${slug}/comments?next=https%3A%2F%2Fevil.example`);
    expect(all.location).toBe('/#comments');
  });

  it('show untrusted text as text, with links that are not endorsed', async () => {
    const { slug } = await newPost();
    await reader.client.comments.create(slug, {
      content: '<img src=x onerror=alert(1)> javascript:alert(1) https://example.org/?a=1&b="2"',
    });
    const { html } = await asVisitor(author).open(`/p/${slug}`);
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('href="javascript:');
    expect(html).toContain('rel="nofollow ugc noopener"');
  });

  it('link to the login and back if nobody is logged in', async () => {
    const { slug } = await newPost();
    const { id } = await reader.client.comments.create(slug, { content: 'Hello' });
    const { html } = await asVisitor().open(`/p/${slug}`);
    const login = `/login?next=${encodeURIComponent(`/p/${slug}`)}`;
    expect(html).toContain(`<a class="button" href="${login}" rel="nofollow">Log in to comment</a>`);
    expect(html).not.toContain(`action="/comments/${id}/vote`);
    expect(html).not.toContain('<textarea');
  });

  it.each(['0', '-1', 'abc', '1e9', '999999999999999999'])('return 404 for the comment id %s', async (id) => {
    const { slug } = await newPost();
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);
    const { _token } = visitor.fieldsOf(`/p/${slug}/comments`);
    expect((await visitor.post(`/comments/${id}/vote`, { _token: _token!, direction: 'up' })).status).toBe(
      404,
    );
    expect((await visitor.post(`/comments/${id}/delete`, { _token: _token! })).status).toBe(404);
    expect((await visitor.open(`/p/${slug}/comments/${id}`)).status).toBe(404);
    expect((await visitor.open(`/p/${slug}?comment=${id}`)).status).toBe(200);
  });

  it('are returned to scripts as fragments of the page', async () => {
    const { slug } = await newPost();
    const visitor = asVisitor(reader);
    await visitor.open(`/p/${slug}`);
    const posted = await visitor.submit(`/p/${slug}/comments`, { content: 'By script' }, SCRIPT);
    const answer = JSON.parse(posted.html) as { html: string; location: string; id: number };
    expect(answer.location).toBe(`/p/${slug}?comment=${answer.id}#c${answer.id}`);
    expect(answer.html).toMatch(new RegExp(`^<li class="comment" id="c${answer.id}"`));
    expect(answer.html).toContain('By script');
  });

  describe('on several pages', () => {
    let slug: string;
    let ids: number[];

    beforeAll(async () => {
      ({ slug } = await newPost());
      const first = await reader.client.comments.create(slug, { content: 'Number 0.' });
      // Some of the others, on all pages, reply to the first.
      const rows = await stack.sql<{ id: string }>(
        `insert into comments (post_id, user_id, parent_id, content)
         select $1, $2, case when i % 50 = 0 then $3::bigint end, 'Number ' || i || '.'
         from generate_series(1, 229) i order by i returning id`,
        [first.post_id, first.user_id, first.id],
      );
      await stack.sql('update comments set replies_count = 4 where id = $1', [first.id]);
      ids = [first.id, ...rows.map(({ id }) => Number(id))];
    });

    const shown = (html: string): number[] =>
      [...html.matchAll(/<li class="comment" id="c(\d+)"/g)].map(([, id]) => Number(id));

    it('come in pages of 100 in each order, with links that keep the order', async () => {
      const visitor = asVisitor(reader);
      const first = await visitor.open(`/p/${slug}`);
      expect(shown(first.html)).toHaveLength(100);
      expect(first.html).toContain(`href="/p/${slug}?commentPage=2#comments"`);
      expect(first.html).toContain('Page 1 of 3');
      const last = await visitor.open(`/p/${slug}?commentPage=3`);
      expect(shown(last.html)).toHaveLength(30);
      const latest = await visitor.open(`/p/${slug}?comments=latest`);
      expect(shown(latest.html)[0]).toBe(ids.at(-1));
      expect(latest.html).toContain(`href="/p/${slug}?comments=latest&amp;commentPage=2#comments"`);
      for (const nonsense of ['comments=best', 'commentPage=0', 'commentPage=-3', 'commentPage=x']) {
        expect(shown((await visitor.open(`/p/${slug}?${nonsense}`)).html)).toEqual(shown(first.html));
      }
      expect((await visitor.open(`/p/${slug}?commentPage=99999999999`)).status).toBe(200);
    });

    it.each([0, 1, 99, 100, 149, 199, 200, 229])('page %i is found by the id of a comment', async (i) => {
      const { html } = await asVisitor().open(`/p/${slug}?comment=${ids[i]}`);
      expect(shown(html)).toContain(ids[i]);
    });

    it('show a message for a deleted comment', async () => {
      const { id } = await reader.client.comments.create(slug, { content: 'Gone' });
      await reader.client.comments.delete(id);
      const { html } = await asVisitor().open(`/p/${slug}?comment=${id}`);
      expect(html).toContain('no longer exists');
    });

    it('link to replies on other pages', async () => {
      const { html } = await asVisitor().open(`/p/${slug}`);
      expect(html).toContain('3 more replies');
      const [, link] = /href="([^"]*)" data-more-replies/.exec(html) ?? [];
      const replies = await asVisitor().open(link!.replaceAll('&amp;', '&'));
      expect(shown(replies.html)).toEqual([ids[0], ids[50], ids[100], ids[150], ids[200]]);
      const third = await asVisitor().open(`/p/${slug}?commentPage=3`);
      expect(third.html).toContain('in reply to another comment');
      expect(third.html).toContain(`href="/p/${slug}?comment=${ids[0]}#c${ids[0]}"`);
    });
  });
});
