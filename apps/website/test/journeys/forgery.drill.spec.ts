import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { type ForeignSite, startForeignSite } from '../support/foreign-site';
import { upload } from '../support/gallery';
import { landscape } from '../support/samples';
import { useBrowser, type Visitor } from '../support/visitor';

/** A form that changes something. */
interface FoundForm {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** All such forms of the current page. */
const formsOf = (page: Page): Promise<FoundForm[]> =>
  page.evaluate(() =>
    [...document.forms]
      .filter((form) => form.method === 'post')
      .flatMap((form) => {
        const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
        const submitters = [...form.querySelectorAll('button[formaction]')].map((button) =>
          button.getAttribute('formaction'),
        );
        return [form.getAttribute('action'), ...submitters].map((action) => ({
          action: action ?? '',
          fields,
        }));
      }),
  );

describeWithChromium('attacks by other sites and other people', () => {
  let stack: Stack;
  const { start, arrive } = useBrowser({ keepVisits: true });
  let ada: Person;
  let eve: Person;
  let judge: Person;
  let boss: Person;
  let slug: string;
  let foreign: ForeignSite;
  /** Without scripts, so that forms are unchanged. */
  const visitors = new Map<Person, Visitor>();

  beforeAll(async () => {
    [stack, foreign] = await Promise.all([
      start(borrowStack({ without: ['media-processor', 'moderation-service'] })),
      startForeignSite(),
    ]);
    [ada, eve, judge, boss] = await Promise.all([
      stack.createPerson('ada'),
      stack.createPerson('eve'),
      stack.createPerson('judge', { role: 'moderator' }),
      stack.createPerson('boss', { role: 'admin' }),
    ]);
    const media = await upload(ada.client, await landscape('hill.jpg', 150));
    ({ slug } = await ada.client.posts.create({
      media_ids: [media.id],
      title: 'A hill',
      visibility: 'public',
    }));
    await eve.client.comments.create(slug, { content: 'Nice.' });
    await stack.sql(
      `insert into bus_reports (queue, waiting, dead) values ('elsewhere.media.deleted', 0, 1)`,
    );
    await ada.client.comments.create(slug, { content: 'Thank you.' });
    for (const person of [ada, eve, judge, boss]) {
      visitors.set(person, await arrive({ as: person, javaScript: false }));
    }
  });
  afterAll(() => foreign?.close());

  const session = (person: Person): Record<string, string> => ({
    Cookie: `vitrine_session=${person.session}`,
  });
  const send = (path: string, init: RequestInit = {}) =>
    fetch(stack.siteUrl + path, { redirect: 'manual', ...init });
  const submit = (
    { action, fields }: FoundForm,
    headers: Record<string, string>,
    token: string | undefined,
  ): Promise<Response> => {
    const body = new URLSearchParams(fields.filter(([name]) => name !== '_token').map(([...pair]) => pair));
    if (token !== undefined) body.set('_token', token);
    return send(action, { method: 'POST', body, headers });
  };
  const tokenIn = ({ fields }: FoundForm): string => fields.find(([name]) => name === '_token')?.[1] ?? '';
  const formsAs = async (person: Person, path: string): Promise<FoundForm[]> => {
    const { page } = visitors.get(person)!;
    await page.goto(path);
    return formsOf(page);
  };
  /** All state that the forms could change. */
  const everything = async (): Promise<unknown> => {
    const tables = [
      'users',
      'tokens',
      'posts',
      'media',
      'comments',
      'reports',
      'moderation_decisions',
      'audit_log',
    ];
    const [counts] = await stack.sql(
      `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
    );
    const scores = await stack.sql('select id, title, visibility, score from posts order by id');
    return { counts, scores };
  };

  // Promise [website]: Forms of other sites change nothing.
  it('forms without a token, from another site, or with another visitor’s token are refused', async () => {
    const pages: readonly (readonly [Person, readonly string[]])[] = [
      [
        ada,
        [
          `/p/${slug}`,
          `/p/${slug}/edit`,
          '/settings',
          '/settings/tokens',
          '/settings/webhooks',
          '/u/eve',
          '/preferences',
          '/upload',
        ],
      ],
      [eve, [`/p/${slug}`, '/u/ada']],
      [judge, ['/moderation', '/moderation/hashes', `/p/${slug}`]],
      [
        boss,
        [
          '/admin/people/eve',
          '/admin/people/eve/delete',
          '/admin/people/eve/reset-link',
          '/admin/people/eve/second-factors',
          '/admin/work',
        ],
      ],
    ];
    const visited = new Set<string>();
    const evesForm = await formsAs(eve, `/p/${slug}`);
    const evesToken = tokenIn(evesForm[0]!);
    const before = await everything();
    for (const [person, paths] of pages) {
      for (const path of paths) {
        for (const form of await formsAs(person, path)) {
          visited.add(form.action);
          const own = tokenIn(form);
          expect({ path, action: form.action, hasToken: own !== '' }).toMatchObject({ hasToken: true });
          const stranger = person === eve ? tokenIn((await formsAs(ada, `/p/${slug}`))[0]!) : evesToken;
          const refused = await Promise.all([
            submit(form, session(person), undefined),
            submit(form, session(person), stranger),
            submit(form, { ...session(person), Origin: 'https://evil.example' }, own),
            submit(form, { ...session(person), 'Sec-Fetch-Site': 'cross-site' }, own),
            // The file host is on the same site if all hosts are localhost or one domain.
            submit(form, { ...session(person), 'Sec-Fetch-Site': 'same-site', Origin: stack.cdnUrl }, own),
          ]);
          expect({ action: form.action, statuses: refused.map(({ status }) => status) }).toEqual({
            action: form.action,
            statuses: [403, 403, 403, 403, 403],
          });
        }
      }
    }
    expect(await everything()).toEqual(before);
    // Otherwise the loop above has checked nothing.
    for (const action of [
      '/logout',
      `/p/${slug}/vote`,
      `/p/${slug}/comments`,
      '/settings/tokens',
      '/settings/webhooks',
      '/u/eve/follow',
      '/admin/work/replay',
      '/admin/people/eve/role',
      '/admin/people/eve/sessions/end',
      '/admin/people/eve/delete',
      '/admin/people/eve/quota',
      '/admin/people/eve/reset-link',
      '/admin/people/eve/second-factors',
    ]) {
      expect([...visited]).toContainEqual(expect.stringContaining(action));
    }
  });

  it.each([
    ['another site', (): string => foreign.url],
    ['another port of the same host', (): string => foreign.neighbourUrl],
  ])('a form that a page of %s sends in the visitor’s browser changes nothing', async (_, origin) => {
    foreign.show(
      '/trap',
      `<form method="post" action="${stack.siteUrl}/p/${slug}/vote"><input name="direction" value="up"></form>
       <script>document.forms[0].submit()</script>`,
    );
    const visitor = await arrive({ as: eve });
    const before = await everything();
    const [answer] = await Promise.all([
      visitor.page.waitForResponse((response) => response.url().endsWith('/vote')),
      visitor.page.goto(`${origin()}/trap`),
    ]);
    expect(answer.status()).toBe(403);
    expect(await everything()).toEqual(before);
    await visitor.close();
  });

  // Promise [website]: Other sites can’t show pages in frames.
  it('pages are not shown in frames of other sites', async () => {
    const paths = ['/', `/p/${slug}`, '/login', '/settings'];
    foreign.show('/frame', paths.map((path) => `<iframe src="${stack.siteUrl}${path}"></iframe>`).join(''));
    const visitor = await arrive({ as: eve });
    await visitor.page.goto(`${foreign.url}/frame`);
    const frames = visitor.page.frames().slice(1);
    expect(frames).toHaveLength(paths.length);
    for (const frame of frames) expect(frame.url()).not.toContain(stack.siteUrl);
    const refusals = new RegExp(`(?:frame-ancestors[^]*?){${paths.length}}`);
    expect(() => visitor.assertClean()).toThrow(refusals);
    await visitor.close();
  });

  it('a link to the moderation queue undoes only the moderator’s own ruling, and lifts no other ban', async () => {
    const media = await upload(ada.client, await landscape('view.jpg', 20, 80, 60));
    const other = await stack.createPerson('otto', { role: 'moderator' });
    const statusOf = async (of: string): Promise<string> =>
      (await judge.client.media.get(of)).moderation_status;
    const ruling = { status: 'nsfw', reason: 'Seen.' } as const;
    await other.client.moderation.ruleOnMedia(media.slug, ruling);
    const ban = await other.client.moderation.hashes.ban({ hash: 'a'.repeat(64), reason: 'Known.' });
    const { page } = visitors.get(judge)!;
    // An attacker could get a moderator to follow such a link.
    const link = `/moderation?type=media&target=${media.slug}&decision=approve&bans=${ban.id}`;
    await page.goto(link);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Someone else has made a decision in the meantime.').waitFor();
    expect(await statusOf(media.slug)).toBe('nsfw');

    await judge.client.moderation.ruleOnMedia(media.slug, { ...ruling, status: 'approved' });
    await page.goto(link);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The decision was undone.', { exact: true }).waitFor();
    expect(await statusOf(media.slug)).toBe('nsfw');
    expect((await other.client.moderation.hashes.list()).data).toEqual([ban]);
    await other.client.moderation.hashes.unban(ban.id);
  });

  describe('sessions', () => {
    const logIn = async (visitor: Visitor, person: Person, path = '/login'): Promise<void> => {
      await visitor.page.goto(path);
      const form = visitor.page.getByRole('main');
      await form.getByLabel('Username').fill(person.username);
      await form.getByLabel('Password', { exact: true }).fill(person.password);
      await form.getByRole('button', { name: 'Log in' }).click();
      await visitor.page.waitForURL((url) => url.pathname !== '/login');
    };
    const cookie = async (visitor: Visitor, name: string): Promise<string | undefined> =>
      (await visitor.context.cookies()).find((one) => one.name === name)?.value;

    it('that were planted in the browser are not adopted by a login', async () => {
      const visitor = await arrive({ javaScript: false });
      await visitor.context.addCookies([
        { name: 'vitrine_browser', value: 'known-to-eve', url: stack.siteUrl },
        { name: 'vitrine_session', value: 'vts_invented', url: stack.siteUrl },
      ]);
      await logIn(visitor, ada);
      const opened = await cookie(visitor, 'vitrine_session');
      expect(opened).toMatch(/^vts_/);
      expect(opened).not.toBe('vts_invented');
      expect(await cookie(visitor, 'vitrine_browser')).not.toBe('known-to-eve');
      await visitor.close();
    });

    it('of eve that were planted in the browser end with ada’s login, and eve’s form tokens are invalid for ada', async () => {
      const planted = await eve.client.auth.login({ login: eve.username, password: eve.password });
      const visitor = await arrive({ javaScript: false });
      await visitor.logIn({ session: planted.session });
      await visitor.page.goto(`/p/${slug}`);
      const evesToken = tokenIn((await formsOf(visitor.page))[0]!);
      await visitor.page.goto('/settings');
      // A logged-in browser gets no login form, so ada first logs out of the planted session.
      await visitor.page.goto('/login');
      expect(new URL(visitor.page.url()).pathname).toBe('/');
      const logOut = (await formsOf(visitor.page)).find(({ action }) => action === '/logout')!;
      await submit(logOut, { Cookie: `vitrine_session=${planted.session}` }, tokenIn(logOut));
      await expect(stack.client(planted.session).me.get()).rejects.toMatchObject({ status: 401 });
      await visitor.context.clearCookies();
      await logIn(visitor, ada);
      const adas = await cookie(visitor, 'vitrine_session');
      const form = (await formsOf(visitor.page)).find(({ action }) => action === '/logout')!;
      const answer = await submit(form, { Cookie: `vitrine_session=${adas}` }, evesToken);
      expect(answer.status).toBe(403);
      expect((await stack.client(adas).me.get()).username).toBe('ada');
      await visitor.close();
    });

    it('that were copied are invalid after a logout', async () => {
      const visitor = await arrive();
      await logIn(visitor, ada);
      const copied = (await cookie(visitor, 'vitrine_session'))!;
      expect((await stack.client(copied).me.get()).username).toBe('ada');
      await visitor.page.getByRole('banner').locator('summary').click();
      await visitor.page.getByRole('button', { name: 'Log out' }).click();
      await visitor.page.waitForURL('**/');
      await visitor.page.getByText('You have logged out.').waitFor();
      expect(await cookie(visitor, 'vitrine_session')).toBeUndefined();
      await expect(stack.client(copied).me.get()).rejects.toMatchObject({ status: 401 });
      const page = await (
        await send('/settings', { headers: { Cookie: `vitrine_session=${copied}` } })
      ).text();
      expect(page).not.toContain('ada');
      await visitor.close();
    });

    it('can’t be read or set by a script of the page', async () => {
      const visitor = await arrive({ as: ada });
      await visitor.page.goto('/');
      expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
      const [, ...flags] = String((await send('/login')).headers.get('set-cookie')).split('; ');
      expect(flags).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']));
      await visitor.close();
    });
  });

  describe('next', () => {
    const ELSEWHERE = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/%09/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'http:evil.example',
      '/x/..//evil.example',
      `${'/'.repeat(3)}evil.example`,
      '@evil.example',
    ];
    /** The origin to which a `Location` leads (there is no meta refresh). */
    const originOf = (response: Response): string =>
      new URL(response.headers.get('location') ?? '/', stack.siteUrl).origin;

    // Promise [website]: Redirects stay within the site.
    it.each(ELSEWHERE)('%j redirects only within the site after a login', async (next) => {
      const query = new URLSearchParams({ next }).toString();
      const loggedIn = await send(`/login?${query}`, { headers: session(ada) });
      expect([loggedIn.status, originOf(loggedIn)]).toEqual([303, stack.siteUrl]);

      const page = await send(`/login?${query}`);
      const html = await page.text();
      const token = /name="_token" value="([^"]+)"/.exec(html)![1]!;
      const browserCookie = page.headers.get('set-cookie')!.split(';')[0]!;
      const answer = await send('/login', {
        method: 'POST',
        headers: { Cookie: browserCookie },
        body: new URLSearchParams({ _token: token, login: ada.username, password: ada.password, next }),
      });
      expect([answer.status, originOf(answer)]).toEqual([303, stack.siteUrl]);
    });

    it.each([
      ['/preferences', () => '/preferences'],
      ['/reports', () => `/p/${slug}`],
    ])('redirects only within the site from %s', async (action, path) => {
      const form = (await formsAs(eve, path())).find((one) => one.action === action);
      expect({ action, found: form !== undefined }).toMatchObject({ found: true });
      for (const next of ELSEWHERE) {
        const fields = form!.fields.filter(([name]) => name !== 'next').concat([['next', next]]);
        const answer = await submit({ action, fields }, session(eve), tokenIn(form!));
        expect({ next, status: answer.status, origin: originOf(answer) }).toEqual({
          next,
          status: 303,
          origin: stack.siteUrl,
        });
      }
    });
  });
});
