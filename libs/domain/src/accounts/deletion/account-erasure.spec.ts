import { randomBytes } from 'node:crypto';
import { Database } from '@vitrine/database';
import { CommentsService } from '../../community/comments/comments.service';
import {
  DomainError,
  InvalidFieldsError,
  TooManyRequestsError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { FollowsService } from '../../community/follows/follows.service';
import { MediaUploads } from '../../media/items/media-uploads.service';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { PostsService } from '../../posts/posts/posts.service';
import { randomSlug } from '../../base/identifiers/slug';
import type { Caller } from '../../base/access/caller';
import { AuthorsService } from '../authors/authors.service';
import { AccountDeletion } from './account-deletion.service';
import { always, ORIGIN, PASSWORD, useErasure } from '../../../test/erasure-stage';
import { RegistrationService } from '../admission/registration.service';
import { ProfileEditing } from '../profiles/profile-editing.service';

describe('AccountErasure', () => {
  const stage = useErasure();
  const { query, single, createAccount, fill, settle, differences, assertErased, eraseAll } = stage;

  // Promise [accounts]: Nothing of other accounts is erased.
  it('erases everything of an account and nothing else, and publishes each deleted media item, post and comment', async () => {
    const [gone, other, third] = [await createAccount(), await createAccount(), await createAccount()];
    await fill(other, [third]);
    await fill(gone, [other, third], 2000);
    await settle();
    expect(await differences()).toEqual([]);
    await query(
      'update users set avatar_media_id = (select min(id) from media where user_id = $1) where id = $1',
      [gone.userId],
    );
    const kept = await single('select count(*) from media where user_id = $1', [other.userId]);
    const media = await query<{ slug: string }>('select slug from media where user_id = $1', [gone.userId]);
    const posts = await query<{ slug: string }>('select slug from posts where user_id = $1', [gone.userId]);

    await stage.erasure.deleteAccount(gone, { currentPassword: PASSWORD });
    await eraseAll();
    await assertErased(gone);
    expect(await single('select count(*) from media where user_id = $1', [other.userId])).toBe(kept);
    const told = await query<{ type: string; slug: string }>(
      `select envelope->>'type' as type, envelope->'data'->>'slug' as slug from outbox`,
    );
    const slugsTold = (type: string) =>
      told
        .filter((event) => event.type === type)
        .map(({ slug }) => slug)
        .sort();
    expect(slugsTold('media.deleted')).toEqual(media.map(({ slug }) => slug).sort());
    expect(slugsTold('post.deleted')).toEqual(posts.map(({ slug }) => slug).sort());
    expect(slugsTold('user.deleted')).toHaveLength(1);
    // Comments with replies of others become tombstones.
    expect(await query('select from comments where deleted_at is not null and user_id is null')).not.toEqual(
      [],
    );
    expect(await query('select from comments where deleted_at is not null and replies_count = 0')).toEqual(
      [],
    );
  });

  it('continues after an interruption at any moment, in several processes at the same time', async () => {
    const [gone, other] = [await createAccount(), await createAccount()];
    await fill(other, []);
    await fill(gone, [other]);
    await settle();
    await stage.domain.get(AccountDeletion).markDeleted(gone, { currentPassword: PASSWORD });
    let sweeps = 0;
    for (let erased = 0; erased === 0; sweeps++) {
      const results = await Promise.all(
        [9, 11, 13].map((steps) => stage.erasure.eraseLeftBehind(() => steps-- > 0, -1)),
      );
      erased = Math.max(...results);
      expect(await differences()).toEqual([]);
    }
    expect(sweeps).toBeGreaterThan(1);
    await assertErased(gone);
    expect(await stage.erasure.eraseLeftBehind(always, -1)).toBe(0);
  });

  it('never lists media of a private post during the erasure', async () => {
    const gone = await createAccount();
    await fill(gone, []);
    await settle();
    const secret = await query<{ id: number }>(
      `select id from media where user_id = $1 and listing = 'unlisted'`,
      [gone.userId],
    );
    expect(secret.length).toBeGreaterThan(30);
    await stage.domain.get(AccountDeletion).markDeleted(gone, { currentPassword: PASSWORD });
    for (let [erased, atMost] = [0, 1]; erased === 0; atMost++) {
      let steps = 0;
      erased = await stage.erasure.eraseLeftBehind(() => steps++ < atMost, -1);
      expect(
        await query(`select id from media where id = any($1) and listing <> 'unlisted'`, [
          secret.map(({ id }) => id),
        ]),
      ).toEqual([]);
    }
  });

  it('rejects every action of and on the account after its deletion', async () => {
    const [gone, other] = [await createAccount(), await createAccount()];
    const media = stage.domain.get(MediaUploads);
    const register = () =>
      media.register(
        {
          slug: randomSlug(),
          userId: gone.userId,
          kind: 'image',
          format: 'jpeg',
          mime: 'image/jpeg',
          ext: 'jpg',
          width: 1,
          height: 1,
          duration: null,
          frames: 1,
          bytes: 1,
          receivedSha256: randomBytes(32),
          storedSha256: randomBytes(32),
          unlisted: false,
        },
        { subject: 'user:1', filesPerDay: 1000 },
        null,
      );
    const { media: first } = await register();
    const editing = stage.domain.get(PostEditingService);
    const theirs = await editing.create(gone, { mediaIds: [first.id] });
    await stage.domain.get(AccountDeletion).markDeleted(gone, { currentPassword: PASSWORD });
    for (const act of [
      register,
      () => editing.create(gone, { mediaIds: [first.id] }),
      () =>
        stage.domain.get(CommentsService).create(theirs.slug, gone, null, { content: 'x', parentId: null }),
      () => stage.domain.get(PostsService).vote(theirs.slug, gone, { accessKey: null, value: 1 }),
      () => stage.domain.get(FollowsService).follow(other.username, gone),
      () => stage.tokens.create(gone.userId, { name: 'late' }),
    ]) {
      await expect(act()).rejects.toThrow(UnauthenticatedError);
    }
    await expect(
      stage.domain.get(ProfileEditing).update(gone, { bio: 'still here', email: 'a@example.org' }),
    ).rejects.toThrow(DomainError);
    await expect(stage.logins.login(gone.username, PASSWORD, ORIGIN)).rejects.toThrow(InvalidFieldsError);
    await expect(
      stage.domain
        .get(RegistrationService)
        .register({ username: gone.username.toUpperCase(), password: PASSWORD }, null, 'other', null),
    ).rejects.toMatchObject({
      errors: { username: ['The username has already been taken.'] },
    });
    expect(await stage.domain.get(AuthorsService).findAuthors([gone.userId])).toEqual(new Map());
    await eraseAll();
    await assertErased(gone);
  });

  it('waits for actions in progress, and later actions wait for it', async () => {
    const gone = await createAccount();
    const connection = stage.domain.get(Database);
    const authors = stage.domain.get(AuthorsService);
    let deleting: Promise<void> | undefined;
    await connection.transaction(async (tx) => {
      await authors.holdLiving(tx, gone.userId);
      deleting = stage.domain.get(AccountDeletion).markDeleted(gone, { currentPassword: PASSWORD });
      await tx.query(
        `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
         values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('b'))`,
        [randomSlug(), gone.userId],
      );
    });
    await deleting;
    await expect(connection.transaction((tx) => authors.holdLiving(tx, gone.userId))).rejects.toThrow(
      UnauthenticatedError,
    );
    await eraseAll();
    await assertErased(gone);
  });

  it('causes only domain errors for others who act on its items in the meantime', async () => {
    const [gone, other, third] = [await createAccount(), await createAccount(), await createAccount()];
    await fill(gone, [other]);
    await settle();
    const posts = await query<{ slug: string }>(
      `select slug from posts where user_id = $1 and visibility = 'public' order by id`,
      [gone.userId],
    );
    const comments = await query<{ id: number }>('select id from comments order by id');
    const failures: unknown[] = [];
    let acted = 0;
    let over = false;
    const act = async (caller: Caller, step: number): Promise<void> => {
      for (let turn = 0; !over; turn++) {
        const slug = posts[(turn * step) % posts.length]!.slug;
        const comment = comments[(turn * step) % comments.length]!.id;
        for (const attempt of [
          () => stage.domain.get(PostsService).vote(slug, caller, { accessKey: null, value: 1 }),
          () =>
            stage.domain
              .get(CommentsService)
              .create(slug, caller, null, { content: 'Hello', parentId: null }),
          () =>
            stage.domain.get(CommentsService).vote({ id: comment }, caller, { accessKey: null, value: -1 }),
          () => stage.domain.get(CommentsService).remove({ id: comment }, caller, null),
          () => stage.domain.get(FollowsService).follow(gone.username, caller),
          () => stage.domain.get(FollowsService).unfollow(gone.username, caller),
        ]) {
          await attempt().then(
            () => acted++,
            (error: unknown) => void (error instanceof DomainError || failures.push(error)),
          );
        }
      }
    };
    const actors = [act(other, 7), act(third, 13), act(third, 1)];
    await stage.erasure.deleteAccount(gone, { currentPassword: PASSWORD });
    await eraseAll();
    over = true;
    await Promise.all(actors);
    expect(failures).toEqual([]);
    expect(acted).toBeGreaterThan(10);
    await assertErased(gone);
  });

  it('requires the password and limits wrong attempts', async () => {
    const account = await createAccount();
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(stage.erasure.deleteAccount(account, { currentPassword: 'wrong' })).rejects.toMatchObject({
        errors: { password: ['The password is incorrect.'] },
      });
    }
    await expect(stage.erasure.deleteAccount(account, { currentPassword: PASSWORD })).rejects.toThrow(
      TooManyRequestsError,
    );
    expect((await stage.users.findAccount(account.userId)).username).toBe(account.username);
  });
});
