import { as, KEY, type Page, type Shown, useComments } from './use-comments';

describe('comments over HTTP', () => {
  const setup = useComments();
  const { createPost, write, comment, remove, list } = setup;

  // Promise [community]: A comment is created by the post’s slug or id.
  it('creates a comment by the post’s slug and by its id', async () => {
    const post = await createPost();
    const first = await write(post.slug, setup.ada, { content: 'What a light!' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        success: true,
        comment: {
          id: expect.any(Number),
          content: 'What a light!',
          user_id: setup.ada.id,
          post_id: post.id,
          parent_id: null,
          score: 0,
          isUpvotedByUser: false,
          isDownvotedByUser: false,
          replies_count: 0,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          edited_at: null,
          user: { username: setup.ada.username, avatar: null },
        },
      },
    });
    const { id } = first.body['comment'] as Shown;
    expect(first.headers.get('Location')).toBe(`https://example.org/api/v1/comments/${id}`);
    const reply = await write(post.id, setup.bob, { content: 'Indeed.', parent_id: id });
    expect(reply.body).toMatchObject({ comment: { parent_id: id, user_id: setup.bob.id, post_id: post.id } });
    expect((await list(post)).data).toMatchObject([
      { id, replies_count: 1, user: { username: setup.ada.username } },
      { parent_id: id, replies_count: 0 },
    ]);
    expect(await remove(id, setup.ada)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
  });

  // Promise [community]: A comment has 1 to 500 characters.
  it('accepts 1 to 500 code points, and ignores other fields', async () => {
    const post = await createPost();
    const contentOf = async (content: unknown) => write(post.slug, setup.ada, { content });
    expect((await contentOf('😀'.repeat(500))).status).toBe(201);
    expect((await contentOf('two\nlines\tand a tab')).status).toBe(201);
    expect(await contentOf('x'.repeat(501))).toMatchObject({
      status: 422,
      body: {
        message: 'The content field must not be greater than 500 characters.',
        errors: { content: ['The content field must not be greater than 500 characters.'] },
      },
    });
    for (const blank of [undefined, null, '', '   ', '\n', '\u200b']) {
      expect(await contentOf(blank)).toMatchObject({
        status: 422,
        body: { message: 'The content field is required.', errors: { content: [expect.any(String)] } },
      });
    }
    for (const bad of [7, true, ['x'], { x: 1 }, 'nul\0', '\ud800']) {
      expect(await contentOf(bad)).toMatchObject({
        status: 422,
        body: { errors: { content: [expect.any(String)] } },
      });
    }
    const sneaky = await write(post.slug, setup.ada, {
      content: 'x',
      score: 99,
      user_id: setup.bob.id,
      post_id: 1,
      replies_count: 5,
      deleted_at: 'now',
    });
    expect(sneaky.body).toMatchObject({
      comment: { score: 0, user_id: setup.ada.id, post_id: post.id, replies_count: 0 },
    });
  });

  // Promise [community]: A reply answers a comment of the same post that is not deleted.
  it('refuses a parent_id of another post, of a tombstone, or of no comment', async () => {
    const [post, other] = [await createPost(), await createPost()];
    const elsewhere = await comment(other, setup.ada);
    const buried = await comment(post, setup.ada);
    await comment(post, setup.bob, buried);
    await remove(buried, setup.ada);
    for (const parentId of [elsewhere, buried, 999_999_999, 0, -1, 9_007_199_254_740_991]) {
      expect(await write(post.slug, setup.ada, { content: 'x', parent_id: parentId })).toMatchObject({
        status: 422,
        body: {
          message: 'The selected parent_id is invalid.',
          errors: { parent_id: ['The selected parent_id is invalid.'] },
        },
      });
    }
    for (const bad of ['x', 1.5, 1e300, true, [1], {}]) {
      expect((await write(post.slug, setup.ada, { content: 'x', parent_id: bad })).status).toBe(422);
    }
    expect((await write(post.slug, setup.ada, { content: 'x', parent_id: null })).status).toBe(201);
  });

  it('requires a token with the scope write', async () => {
    const post = await createPost();
    const id = await comment(post, setup.ada);
    const token = await setup.ada.mintToken({ scopes: ['read', 'upload'] });
    const body = { content: 'x' };
    expect((await write(post.slug, undefined)).status).toBe(401);
    expect((await setup.gateway.ask('POST', `/posts/${post.slug}/comments`, { token, body })).status).toBe(
      403,
    );
    expect((await remove(id, undefined)).status).toBe(401);
    expect((await setup.gateway.ask('DELETE', `/comments/${id}`, { token })).status).toBe(403);
    const writer = await setup.ada.mintToken({ scopes: ['write'] });
    expect(
      (await setup.gateway.ask('POST', `/posts/${post.slug}/comments`, { token: writer, body })).status,
    ).toBe(201);
    expect((await setup.gateway.ask('DELETE', `/comments/${id}`, { token: writer })).status).toBe(200);
  });

  // Promise [community]: The author, the post’s owner and moderators can delete a comment.
  it('lets author, post owner and moderators delete; others get 403, or 404 if they can’t see it', async () => {
    const [post, secret] = [await createPost(), await createPost({ visibility: 'private' })];
    const id = await comment(post, setup.ada);
    expect((await remove(id, setup.bob)).status).toBe(403);
    expect((await remove(id, setup.ada)).status).toBe(200);
    expect((await remove(id, setup.ada)).status).toBe(404);
    expect((await remove(await comment(post, setup.ada), setup.owner)).status).toBe(200);
    expect((await remove(await comment(post, setup.ada), setup.moderator)).status).toBe(200);
    const { body } = await write(secret.slug, setup.ada, { content: 'Psst.' }, `?key=${KEY}`);
    const inside = (body['comment'] as Shown).id;
    expect((await remove(inside, setup.bob)).status).toBe(404);
    expect((await remove(inside, setup.bob, `?key=${KEY}`)).status).toBe(403);
    expect((await remove(inside, setup.ada)).status).toBe(200);
    for (const wrong of ['0', '-1', 'x', '1.5', '1e3', '99999999999999999999', '%00', '']) {
      expect((await remove(wrong, setup.ada)).status).toBe(404);
    }
  });

  // Promise [community]: Only the author changes a comment, and lists show when.
  it('changes the text for its author, and shows when in every list', async () => {
    const post = await createPost();
    const id = await comment(post, setup.ada);
    const edit = (content: unknown) =>
      setup.gateway.ask('PATCH', `/comments/${id}`, { ...as(setup.ada), body: { content, score: 99 } });
    const edited = await edit('Sharper.');
    expect(edited).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Comment updated.',
        comment: { id, content: 'Sharper.', edited_at: expect.stringMatching(/Z$/), score: 0 },
      },
    });
    const shown = edited.body['comment'] as Shown;
    const { body } = await setup.gateway.ask<Page>('GET', `/users/${setup.ada.username}/comments`);
    expect((await list(post, '', setup.ada)).data).toEqual([shown]);
    expect(body.data[0]).toMatchObject({ ...shown });
    for (const wrong of ['x'.repeat(501), undefined, null, '', '  \n', 7, 'nul\0']) {
      expect(await edit(wrong)).toMatchObject({
        status: 422,
        body: { errors: { content: [expect.any(String)] } },
      });
    }
    expect((await list(post, '', setup.ada)).data).toEqual([shown]);
    await comment(post, setup.bob, id);
    await remove(id, setup.ada);
    expect((await edit('Back again.')).status).toBe(404);
    expect((await list(post)).data[0]).toMatchObject({ content: '[deleted]', edited_at: null });
  });

  // Promise [community]: A deleted comment with replies stays as a tombstone until the last reply is deleted.
  it('turns a deleted comment with replies into a tombstone until the last reply is deleted', async () => {
    const post = await createPost();
    const top = await comment(post, setup.ada);
    const middle = await comment(post, setup.bob, top);
    const leaf = await comment(post, setup.ada, middle);
    await remove(top, setup.ada);
    await remove(middle, setup.bob);
    const [first] = (await list(post)).data;
    expect(first).toMatchObject({
      id: top,
      content: '[deleted]',
      user: null,
      user_id: null,
      post_id: post.id,
      replies_count: 1,
    });
    expect((await list(post)).meta).toMatchObject({ total: 3 });
    const { rows } = await setup.database.query('select comment_count from posts where id = $1', [post.id]);
    expect(rows).toEqual([{ comment_count: 1 }]);
    const traces = await setup.database.query(
      'select 1 from comments where id = $1 and (content <> $2 or user_id > 0)',
      [top, '[deleted]'],
    );
    expect(traces.rowCount).toBe(0);
    for (const way of ['upvote', 'downvote']) {
      expect((await setup.gateway.ask('POST', `/comments/${top}/${way}`, as(setup.bob))).status).toBe(404);
    }
    expect((await remove(top, setup.moderator)).status).toBe(404);
    await remove(leaf, setup.ada);
    expect((await list(post)).data).toEqual([]);
  });

  it('publishes an event in the transaction of each change', async () => {
    const post = await createPost();
    const id = await comment(post, setup.ada);
    await comment(post, setup.bob, id);
    await remove(id, setup.ada);
    const { rows } = await setup.database.query<{
      envelope: { type: string; data: Record<string, unknown> };
    }>(`select envelope from outbox where envelope -> 'data' ->> 'comment_id' = $1 order by id`, [
      String(id),
    ]);
    expect(rows.map(({ envelope: { type, data } }) => [type, data])).toEqual([
      ['comment.created', { comment_id: id, post_id: post.id, parent_id: null, user_id: setup.ada.id }],
      ['comment.deleted', { comment_id: id, post_id: post.id, user_id: setup.ada.id, tombstone: true }],
    ]);
  });
});
